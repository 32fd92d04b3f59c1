// SPDX-License-Identifier: Apache-2.0
// Draws and scores. The most frequent distributions are written out, the others are called.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "math/elementary.hpp"
#include "math/special.hpp"
#include "segment/lowering.hpp"
#include "value/collections.hpp"

namespace chancel::segment {

namespace {
bool named(const DistType* distribution, const char* name) {
  return distribution && std::strcmp(distribution->name, name) == 0;
}

// The layout of a distribution where it is known: of a constant, or of elements that all have the
// same.
const Dist* like(const AbstractValue& distribution) {
  if (distribution.is_constant()) return distribution.value.as<Dist>();
  if (!distribution.is_element()) return nullptr;
  const auto* const all = distribution.table.as<Vector>();
  const auto* const first = vector_nth(all, 0).as<Dist>();
  for (std::uint32_t i = 1; i < all->count; ++i) {
    const auto* const d = vector_nth(all, i).as<Dist>();
    if (d->value_count != first->value_count || d->number_count != first->number_count)
      return nullptr;
  }
  return first;
}

constexpr std::uint32_t kMostTabulated = 16;

// The type of draws from scalar distributions follows from their kind.
Type type_given_by(const DistType* distribution) {
  if (named(distribution, "discrete")) return Type::Int;
  return distribution->support == DistSupport::Booleans ? Type::Bool
         : !distribution->density                       ? Type::Any
         : distribution->discrete                       ? Type::Int
                                                        : Type::Double;
}
}  // namespace

// The type of a distribution, if it is known; guarded where it is known from the example only.
const DistType* Lowering::distribution_of(const AbstractValue& distribution) {
  if (distribution.distribution) return distribution.distribution;
  if (!distribution.example.is(Tag::Dist)) return nullptr;
  const DistType* type = distribution.example.as<Dist>()->type;
  build_->guard(build_->emit(Opcode::IsDist, {.object = type}, {boxed(distribution)}));
  return type;
}

// What a random process produces when it has seen nothing.
const DistType* Lowering::distribution_produced_by(const ProcessType* process) {
  const Value one = Value::integer(1);
  const Value empty = process->construct(cx_, &one, 1);
  const Value distribution = cx_.ok() ? process->produce(cx_, empty.as<Process>()) : empty;
  const bool ok = cx_.ok() && distribution.is(Tag::Dist);
  cx_.status = NativeContext::Status::Ok;
  return ok ? distribution.as<Dist>()->type : nullptr;
}

ValueId Lowering::real_of(const AbstractValue& k) {
  if (k.is_number()) return real(k);
  if (k.type != Type::Any || k.is_constant() || k.is_virtual()) return kNoValue;
  return build_->emit(Opcode::RealOf, {k.id});
}

// The constant part of the log density of (normal mean sd), as dist/normal.cpp has it.
AbstractValue Lowering::normal_scale(const AbstractValue& sd) {
  if (sd.is_constant()) {
    const double x = sd.type == Type::Int ? static_cast<double>(sd.value.i) : sd.value.d;
    if (x > 0 && x < INFINITY)
      return AbstractValue::constant(Value::real(-kLogSqrtTwoPi - math::log(x)));
  }
  return emit(Opcode::Sub, {build_->constant(Value::real(-kLogSqrtTwoPi)),
                            build_->emit(Opcode::Log, {real(sd)})});
}

void Lowering::check_normal(ValueId mean, ValueId sd) {
  const ValueId infinity = build_->constant(Value::real(INFINITY));
  const auto finite = [&](ValueId x) {
    return build_->emit(Opcode::Less, {build_->emit(Opcode::Abs, {x}), infinity});
  };
  if (!build_->is_constant(mean) || !std::isfinite(function_[mean].constant.d))
    build_->guard(finite(mean));
  if (build_->is_constant(sd) && function_[sd].constant.d > 0 &&
      function_[sd].constant.d < INFINITY)
    return;
  build_->guard(
      build_->emit(Opcode::And, {build_->emit(Opcode::Less, {build_->constant(Value::real(0)), sd}),
                                 build_->emit(Opcode::Less, {sd, infinity})}));
}

// (normal mean sd) of numbers, as an object.
AbstractValue Lowering::make_distribution(const NativeDef* native,
                                          const std::vector<AbstractValue>& p, bool* done) {
  *done = named(native->dist, "normal") && p.size() == 2 && p[0].is_number() && p[1].is_number();
  if (!*done) return {};
  check_normal(real(p[0]), real(p[1]));
  const AbstractValue scale = normal_scale(p[1]);
  AbstractValue made = virtual_distribution(native->dist, p, {{0, {}}, {1, {}}, {{}, scale}});
  if (unit_) materialize(made);
  return made;
}

// Number `index` of a distribution.
ValueId Lowering::number_of(const AbstractValue& distribution, std::size_t index) {
  if (distribution.is_virtual()) return number_in(*distribution.virtual_object, index);
  if (distribution.is_constant())
    return build_->constant(Value::real(distribution.value.as<Dist>()->numbers()[index]));
  return build_->emit(Opcode::NumberOf, {.number = static_cast<std::int64_t>(index)},
                      {boxed(distribution)});
}

AbstractValue Lowering::after_draw(AbstractValue value) {
  if (value.is_number())
    build_->effect(Opcode::SetKey, {value.id});
  else if (value.type == Type::Any)
    build_->effect(Opcode::SetKeyOf, {value.id});
  return value;
}

AbstractValue Lowering::draw(AbstractValue distribution) {
  return after_draw(value_of_draw(std::move(distribution)));
}
AbstractValue Lowering::draw_direct(const DistType* type,
                                    const std::vector<AbstractValue>& parameters) {
  return after_draw(value_of_direct_draw(type, parameters));
}

AbstractValue Lowering::value_of_draw(AbstractValue distribution) {
  const DistType* type = distribution_of(distribution);
  if (!named(type, "normal")) materialize(distribution);
  if (named(type, "discrete")) {
    const Dist* const known = like(distribution);
    return emit(Opcode::DrawIndex,
                {.number = known ? known->value_count : 0,
                 .index = known ? (known->number_count - 2) / 2 : 0},
                {boxed(distribution)});
  }
  if (named(type, "normal"))
    return emit(Opcode::DrawNormal, {number_of(distribution, 0), number_of(distribution, 1)});
  if (named(type, "uniform-continuous"))
    return emit(Opcode::DrawUniform, {number_of(distribution, 0), number_of(distribution, 1)});
  if (named(type, "gamma")) return emit(Opcode::DrawGamma, {boxed(distribution)});
  if (named(type, "flip")) return emit(Opcode::DrawFlip, {number_of(distribution, 0)});
  const AbstractValue x = emit(Opcode::DrawFrom, {boxed(distribution)});
  return type ? of_distribution(x, type) : x;
}

// A draw from a distribution, after a guard that it has the type that such draws have.
AbstractValue Lowering::of_distribution(const AbstractValue& value, const DistType* distribution) {
  const Type type = type_given_by(distribution);
  if (type == Type::Any) return value;
  const Tag tag = type == Type::Bool ? Tag::Bool : type == Type::Int ? Tag::Int : Tag::Double;
  build_->guard(build_->emit(Opcode::HasTag, {.tag = tag}, {value.id}));
  return unboxed(type, value);
}

AbstractValue Lowering::value_of_direct_draw(const DistType* type,
                                             const std::vector<AbstractValue>& parameters) {
  const bool numbers = std::all_of(parameters.begin(), parameters.end(),
                                   [](const AbstractValue& k) { return k.is_number(); });
  if (named(type, "normal") && numbers && parameters.size() == 2) {
    const ValueId mean = real(parameters[0]), sd = real(parameters[1]);
    check_normal(mean, sd);
    return emit(Opcode::DrawNormal, {mean, sd});
  }
  return of_distribution(emit(Opcode::DrawDirect, {.object = type}, all_boxed(parameters)), type);
}

// The score of a value that is the same for all particles, by one of a few distributions: a table
// of scores is computed once a batch.
ValueId Lowering::score_by_table(const AbstractValue& distribution, const AbstractValue& x) {
  const bool as_number = named(distribution.distribution, "normal")     ? x.is_number()
                         : named(distribution.distribution, "discrete") ? x.type == Type::Int
                                                                        : false;
  const ValueId number = !as_number                                     ? boxed(x)
                         : named(distribution.distribution, "discrete") ? plain(x)
                                                                        : real(x);
  const ValueId table = build_->emit(
      Opcode::ScoreTable,
      {.number = distribution.table.as<Vector>()->count, .object = distribution.distribution},
      {build_->constant(distribution.table), number, boxed(x)});
  return build_->emit(Opcode::TableEntry, {table, distribution.table_index});
}

ValueId Lowering::normal_score(ValueId mean, ValueId sd, ValueId scale, ValueId x) {
  const ValueId z = build_->emit(Opcode::Div, {build_->emit(Opcode::Sub, {x, mean}), sd});
  const ValueId half = build_->emit(Opcode::Mul, {build_->constant(Value::real(0.5)), z});
  return build_->emit(Opcode::Sub, {scale, build_->emit(Opcode::Mul, {half, z})});
}

// Where distribution and value are the same for all, so is the score: it is computed once a batch.
ValueId Lowering::score(AbstractValue distribution, AbstractValue x) {
  materialize(x);
  const DistType* type = distribution_of(distribution);
  if (distribution.is_element() && type && x.is_uniform() && straight() &&
      distribution.table.as<Vector>()->count <= kMostTabulated)
    return score_by_table(distribution, x);
  if (named(type, "normal")) {
    const ValueId at = real_of(x);
    if (at != kNoValue && (distribution.is_constant() || distribution.is_virtual()))
      return normal_score(number_of(distribution, 0), number_of(distribution, 1),
                          number_of(distribution, 2), at);
    if (at != kNoValue) return build_->emit(Opcode::ScoreNormal, {boxed(distribution), at});
  }
  if (named(type, "discrete") && x.type == Type::Int)
    return build_->emit(Opcode::ScoreIndex, {boxed(distribution), plain(x)});
  if (named(type, "flip") && x.type == Type::Bool)
    return build_->emit(Opcode::ScoreFlip, {boxed(distribution), truth(x)});
  if (named(type, "uniform-continuous") && x.type == Type::Double)
    return build_->emit(Opcode::ScoreUniform, {boxed(distribution), plain(x)});
  if (!type && named(distribution.guess, "normal")) {
    const ValueId at = real_of(x);
    if (at != kNoValue)
      return build_->emit(Opcode::ScoreLikely, {.object = distribution.guess},
                          {boxed(distribution), at, boxed(x)});
  }
  materialize(distribution);
  return build_->emit(Opcode::Score, {boxed(distribution), boxed(x)});
}

ValueId Lowering::score_direct(const DistType* type, const std::vector<AbstractValue>& parameters,
                               const AbstractValue& x) {
  const bool numbers = std::all_of(parameters.begin(), parameters.end(),
                                   [](const AbstractValue& k) { return k.is_number(); });
  if (named(type, "normal") && numbers && parameters.size() == 2) {
    const ValueId at = real_of(x);
    if (at != kNoValue) {
      const ValueId mean = real(parameters[0]), sd = real(parameters[1]);
      check_normal(mean, sd);
      return normal_score(mean, sd, plain(normal_scale(parameters[1])), at);
    }
  }
  Builder::Operands operands = all_boxed(parameters);
  operands.push_back(boxed(x));
  return build_->emit(Opcode::ScoreDirect, {.object = type}, std::move(operands));
}

bool Lowering::observe(const Instr* at) {
  AbstractFrame& f = state_.top();
  const SiteWord site = ext_site(at[1]);
  if (given_) end_of_given(false);
  ValueId lp = kNoValue;
  if (at->op == Op::Observe) {
    const AbstractValue distribution = f.reg(at->b);
    const AbstractValue x = f.reg(at->c);
    if (distribution.type != Type::Any || x.is_nothing()) return give_up();
    lp = score(distribution, x);
  } else {
    std::vector<AbstractValue> parameters;
    for (std::uint32_t i = 0; i <= at->c; ++i) parameters.push_back(f.reg(at->b + i));
    materialize(parameters);
    const AbstractValue x = parameters.back();
    parameters.pop_back();
    lp = score_direct(reinterpret_cast<const DistType*>(word_of(at[2])), parameters, x);
  }
  // Impossible, infinite or not a number: the interpreter knows what to say.
  build_->guard(build_->emit(
      Opcode::Less, {build_->emit(Opcode::Abs, {lp}), build_->constant(Value::real(INFINITY))}));
  AbstractFrame& top = state_.top();
  top.dst = at->a;
  top.kind = FrameKind::Normal;
  top.slots.resize(site.live + 1u);
  std::vector<AbstractFrame>& frames = state_.frames;
  for (std::size_t i = 0; i < frames.size(); ++i)
    for (std::size_t s = 0; s < frames[i].slots.size(); ++s)
      if (!live(frames[i], i + 1 == frames.size(), s)) frames[i].slots[s] = AbstractValue{};
  std::size_t point = point_of(frames, site.site);
  if (point == kMakeFirst) {
    Made made;
    for (AbstractFrame& frame : frames)
      for (AbstractValue& k : frame.slots) materialize(k, made);
    point = point_of(frames, site.site);
  }
  if (point == kNoPoint) return give_up();
  stop_at(point, frames, lp);
  return false;
}

}  // namespace chancel::segment
