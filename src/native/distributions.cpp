// SPDX-License-Identifier: Apache-2.0
// Draws and scores. The most frequent distributions are written out, the others are called.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "math/elementary.hpp"
#include "math/special.hpp"
#include "native/translator.hpp"
#include "value/collections.hpp"

namespace chancel::native {

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

std::string Translator::arguments(const std::vector<AbstractValue>& values) {
  std::string text = "(cn_value[]){";
  for (const AbstractValue& k : values) text += writer_->boxed(k) + ", ";
  return text + "}";
}

// The type of a distribution, if it is known; guarded where it is known from the example only.
const DistType* Translator::distribution_of(const AbstractValue& distribution) {
  if (distribution.distribution) return distribution.distribution;
  if (!distribution.example.is(Tag::Dist)) return nullptr;
  const DistType* type = distribution.example.as<Dist>()->type;
  const std::string v = Writer::name(distribution.variable);
  writer_->guard(distribution.is_uniform(),
                 fmt::format("{0}.tag == CN_DIST && ((cn_dist*){0}.u.o)->type == {1}", v,
                             writer_->pointer(type)));
  return type;
}

// What a random process produces when it has seen nothing.
const DistType* Translator::distribution_produced_by(const ProcessType* process) {
  const Value one = Value::integer(1);
  const Value empty = process->construct(cx_, &one, 1);
  const Value distribution = cx_.ok() ? process->produce(cx_, empty.as<Process>()) : empty;
  const bool ok = cx_.ok() && distribution.is(Tag::Dist);
  cx_.status = NativeContext::Status::Ok;
  return ok ? distribution.as<Dist>()->type : nullptr;
}

std::string Translator::real_of(const AbstractValue& k) {
  if (k.is_number()) return writer_->real(k);
  if (k.type != Type::Any || k.is_constant() || k.is_virtual()) return "";
  const AbstractValue x = writer_->compute(Type::Double, k.is_uniform(), "0");
  writer_->guard(k.is_uniform(), fmt::format("cn_number({}, &{})", Writer::name(k.variable),
                                             Writer::name(x.variable)));
  return Writer::name(x.variable);
}

// The constant part of the log density of (normal mean sd), as dist/normal.cpp has it. With `pending`: of a
// particle's own it is worked out when it is needed, by that text.
AbstractValue Translator::normal_scale(const AbstractValue& sd, std::string* pending) {
  if (sd.is_constant()) {
    const double x = sd.type == Type::Int ? static_cast<double>(sd.value.i) : sd.value.d;
    if (x > 0 && x < INFINITY)
      return AbstractValue::constant(Value::real(-kLogSqrtTwoPi - math::log(x)));
  }
  const std::string text =
      fmt::format("-CN_LOG_SQRT_TWO_PI - chancel_log(b->logs, {})", writer_->real(sd));
  if (!pending || sd.is_uniform()) return writer_->compute(Type::Double, sd.is_uniform(), text);
  AbstractValue later;
  later.kind = AbstractValue::Kind::Varying;
  later.type = Type::Double;
  later.variable = writer_->variable(Type::Double);
  *pending = fmt::format("{} = {};", Writer::name(later.variable), text);
  return later;
}

// (normal mean sd) of numbers, as an object.
AbstractValue Translator::make_distribution(const NativeDef* native,
                                            const std::vector<AbstractValue>& p, bool* done) {
  *done = named(native->dist, "normal") && p.size() == 2 && p[0].is_number() && p[1].is_number();
  if (!*done) return {};
  const std::string mean = writer_->real(p[0]);
  const std::string sd = writer_->real(p[1]);
  writer_->guard(p[0].is_uniform(), fmt::format("__builtin_isfinite({})", mean));
  writer_->guard(p[1].is_uniform(), fmt::format("{0} > 0 && {0} < CN_INFINITY", sd));
  std::string pending;
  const AbstractValue scale = normal_scale(p[1], &pending);
  AbstractValue made =
      virtual_distribution(native->dist, p, {{0, {}}, {1, {}}, {{}, scale}}, std::move(pending));
  if (unit_) materialize(made);
  return made;
}

// Number `index` of a distribution.
std::string Translator::number_of(const AbstractValue& distribution, std::size_t index) {
  if (distribution.is_virtual()) return number_in(*distribution.virtual_object, index);
  if (distribution.is_constant())
    return writer_->number(
        AbstractValue::constant(Value::real(distribution.value.as<Dist>()->numbers()[index])));
  return fmt::format("cn_numbers({})[{}]", writer_->object(distribution, "const cn_dist"), index);
}

AbstractValue Translator::after_draw(AbstractValue value) {
  const std::string v = Writer::name(value.variable);
  if (value.type == Type::Double || value.type == Type::Int)
    writer_->line(fmt::format("key = (double){};", v));
  else if (value.type == Type::Any)
    writer_->line(fmt::format("cn_drawn_last({}, &key);", v));
  return value;
}

AbstractValue Translator::draw(AbstractValue distribution) {
  return after_draw(value_of_draw(std::move(distribution)));
}
AbstractValue Translator::draw_direct(const DistType* type,
                                      const std::vector<AbstractValue>& parameters) {
  return after_draw(value_of_direct_draw(type, parameters));
}

AbstractValue Translator::value_of_draw(AbstractValue distribution) {
  const DistType* type = distribution_of(distribution);
  if (!named(type, "normal")) materialize(distribution);
  before_draw();
  if (named(type, "discrete")) {
    const std::string d = writer_->object(distribution, "const cn_dist");
    const Dist* const known = like(distribution);
    return writer_->compute(
        Type::Int, false,
        known ? fmt::format("cn_index(b, (const double*)({}->values + {}), {}, &s)", d,
                            known->value_count, (known->number_count - 2) / 2)
              : fmt::format("cn_discrete(b, {}, &s)", d));
  }
  if (named(type, "normal"))
    return writer_->compute(Type::Double, false,
                            fmt::format("{} + {} * cn_normal(b, &s)", number_of(distribution, 0),
                                        number_of(distribution, 1)));
  if (named(type, "uniform-continuous")) {
    const std::string low = number_of(distribution, 0);
    const std::string high = number_of(distribution, 1);
    const AbstractValue x = writer_->compute(
        Type::Double, false, fmt::format("{0} + ({1} - {0}) * cn_uniform(b, &s)", low, high));
    writer_->line(
        fmt::format("if (unlikely(!({0} < {1}))) {0} = {2};", Writer::name(x.variable), high, low));
    return x;
  }
  if (named(type, "gamma")) {
    // Of shape 1 it is exponential (dist/kernel/gamma.hpp).
    const std::string n =
        fmt::format("cn_numbers({})", writer_->object(distribution, "const cn_dist"));
    const AbstractValue x = writer_->compute(Type::Double, false, "0");
    const std::string v = Writer::name(x.variable);
    writer_->line(
        fmt::format("if ({0}[0] == 1) {{ {1} = cn_exponential(b, &s) / {0}[1]; {1} = {1} < {3} ? "
                    "{3} : {1} > {4} ? {4} : {1}; }}"
                    " else {{ const cn_value drawn = b->sample(b, {2}, &s); if "
                    "(unlikely(b->status)) goto bail; {1} = drawn.u.d; }}",
                    n, v, writer_->boxed(distribution), "CN_LEAST_DRAW", "CN_LARGEST_DRAW"));
    return x;
  }
  if (named(type, "flip"))
    return writer_->compute(Type::Bool, false,
                            fmt::format("cn_uniform(b, &s) < {}", number_of(distribution, 0)));
  AbstractValue x = writer_->compute(
      Type::Any, false, fmt::format("b->sample(b, {}, &s)", writer_->boxed(distribution)));
  writer_->guard(false, "b->status == 0");
  if (!type) return x;
  return of_distribution(x, type);
}

// A draw from a distribution, after a guard that it has the type that such draws have.
AbstractValue Translator::of_distribution(const AbstractValue& value,
                                          const DistType* distribution) {
  const Type type = type_given_by(distribution);
  if (type == Type::Any) return value;
  const std::string v = Writer::name(value.variable);
  writer_->guard(value.is_uniform(), fmt::format("{}.tag == {}", v,
                                                 type == Type::Bool  ? "CN_BOOL"
                                                 : type == Type::Int ? "CN_INT"
                                                                     : "CN_DOUBLE"));
  return writer_->compute(type, value.is_uniform(), v + Writer::field(type));
}

AbstractValue Translator::value_of_direct_draw(const DistType* type,
                                               const std::vector<AbstractValue>& parameters) {
  const bool numbers = std::all_of(parameters.begin(), parameters.end(),
                                   [](const AbstractValue& k) { return k.is_number(); });
  if (named(type, "normal") && numbers && parameters.size() == 2) {
    const std::string mean = writer_->real(parameters[0]);
    const std::string sd = writer_->real(parameters[1]);
    writer_->guard(parameters[0].is_uniform(), fmt::format("__builtin_isfinite({})", mean));
    writer_->guard(parameters[1].is_uniform(), fmt::format("{0} > 0 && {0} < CN_INFINITY", sd));
    before_draw();
    return writer_->compute(Type::Double, false,
                            fmt::format("{} + {} * cn_normal(b, &s)", mean, sd));
  }
  before_draw();
  const AbstractValue x =
      writer_->compute(Type::Any, false,
                       fmt::format("b->sample_direct(b, {}, {}, {}, &s)", writer_->pointer(type),
                                   arguments(parameters), parameters.size()));
  writer_->guard(false, "b->status == 0");
  return of_distribution(x, type);
}

// The score of a value that is the same for all particles, by one of a few distributions: a table
// of scores is computed once a batch.
std::string Translator::score_by_table(const AbstractValue& distribution, const AbstractValue& x) {
  const std::uint32_t count = distribution.table.as<Vector>()->count;
  const std::string table = writer_->array(count);
  const std::string element =
      fmt::format("cn_nth(b, {}, (uint32_t)i)",
                  writer_->object(AbstractValue::constant(distribution.table), "const cn_vector"));
  const std::string one =
      named(distribution.distribution, "normal") && x.is_number()
          ? fmt::format("cn_normal_score((const cn_dist*){}.u.o, {})", element, writer_->real(x))
      : named(distribution.distribution, "discrete") && x.type == Type::Int
          ? fmt::format("cn_discrete_score(b, (const cn_dist*){}.u.o, {})", element,
                        writer_->number(x))
          : fmt::format("cn_score_or_none(b, {}, {})", element, writer_->boxed(x));
  writer_->batch_line(fmt::format("for (i = 0; i < {}; ++i) {}[i] = {};", count, table, one));
  return Writer::name(
      writer_
          ->compute(Type::Double, false,
                    fmt::format("{}[{}]", table, Writer::name(distribution.table_index)))
          .variable);
}

// Where distribution and value are the same for all, so is the score: it is computed once a batch.
std::string Translator::score(AbstractValue distribution, AbstractValue x) {
  materialize(x);
  if (distribution.is_virtual()) {
    Finished finished;
    finish_numbers(distribution, finished);
    finish_numbers(state_.frames, std::move(finished));
  }
  const DistType* type = distribution_of(distribution);
  if (distribution.is_element() && type && x.is_uniform() && writer_->straight &&
      distribution.table.as<Vector>()->count <= kMostTabulated)
    return score_by_table(distribution, x);
  const bool uniform = distribution.is_uniform() && x.is_uniform();
  const auto computed = [&](const std::string& expression) {
    return Writer::name(writer_->compute(Type::Double, uniform, expression).variable);
  };
  if (named(type, "normal")) {
    const std::string at = real_of(x);
    if (!at.empty() && (distribution.is_constant() || distribution.is_virtual())) {
      const std::string z = computed(fmt::format("({} - {}) / {}", at, number_of(distribution, 0),
                                                 number_of(distribution, 1)));
      return computed(fmt::format("{0} - 0.5 * {1} * {1}", number_of(distribution, 2), z));
    }
    if (!at.empty())
      return computed(fmt::format("cn_normal_score({}, {})",
                                  writer_->object(distribution, "const cn_dist"), at));
  }
  if (named(type, "discrete") && x.type == Type::Int)
    return computed(fmt::format("cn_discrete_score(b, {}, {})",
                                writer_->object(distribution, "const cn_dist"),
                                writer_->number(x)));
  if (named(type, "flip") && x.type == Type::Bool)
    return computed(fmt::format("cn_flip_score({}, {})",
                                writer_->object(distribution, "const cn_dist"), writer_->truth(x)));
  if (named(type, "uniform-continuous") && x.type == Type::Double)
    return computed(fmt::format("cn_uniform_score({}, {})",
                                writer_->object(distribution, "const cn_dist"),
                                writer_->number(x)));
  if (!type && named(distribution.guess, "normal")) {
    const std::string at = real_of(x);
    if (!at.empty()) {
      const std::string v = Writer::name(distribution.variable);
      const std::string lp = computed(
          fmt::format("{0}.tag == CN_DIST && ((cn_dist*){0}.u.o)->type == {1} ? "
                      "cn_normal_score((const cn_dist*){0}.u.o, {2}) : b->observe(b, {0}, {3})",
                      v, writer_->pointer(distribution.guess), at, writer_->boxed(x)));
      writer_->guard(uniform, "b->status == 0");
      return lp;
    }
  }
  materialize(distribution);
  const std::string lp = computed(
      fmt::format("b->observe(b, {}, {})", writer_->boxed(distribution), writer_->boxed(x)));
  writer_->guard(uniform, "b->status == 0");
  return lp;
}

std::string Translator::score_direct(const DistType* type,
                                     const std::vector<AbstractValue>& parameters,
                                     const AbstractValue& x) {
  const bool numbers = std::all_of(parameters.begin(), parameters.end(),
                                   [](const AbstractValue& k) { return k.is_number(); });
  const bool uniform =
      x.is_uniform() && std::all_of(parameters.begin(), parameters.end(),
                                    [](const AbstractValue& k) { return k.is_uniform(); });
  const auto computed = [&](const std::string& expression) {
    return Writer::name(writer_->compute(Type::Double, uniform, expression).variable);
  };
  if (named(type, "normal") && numbers && parameters.size() == 2) {
    const std::string at = real_of(x);
    if (!at.empty()) {
      const std::string mean = writer_->real(parameters[0]);
      const std::string sd = writer_->real(parameters[1]);
      writer_->guard(parameters[0].is_uniform(), fmt::format("__builtin_isfinite({})", mean));
      writer_->guard(parameters[1].is_uniform(), fmt::format("{0} > 0 && {0} < CN_INFINITY", sd));
      const AbstractValue scale = normal_scale(parameters[1]);
      const std::string z = computed(fmt::format("({} - {}) / {}", at, mean, sd));
      return computed(fmt::format("{0} - 0.5 * {1} * {1}", writer_->number(scale), z));
    }
  }
  const std::string lp =
      computed(fmt::format("b->observe_direct(b, {}, {}, {}, {})", writer_->pointer(type),
                           arguments(parameters), parameters.size(), writer_->boxed(x)));
  writer_->guard(uniform, "b->status == 0");
  return lp;
}

bool Translator::observe(const Instr* at) {
  AbstractFrame& f = state_.top();
  const SiteWord site = ext_site(at[1]);
  if (given_) end_of_given(false);
  std::string lp;
  if (at->op == Op::Observe) {
    const AbstractValue distribution = f.reg(at->b);
    const AbstractValue x = f.reg(at->c);
    if (distribution.type != Type::Any || x.kind == AbstractValue::Kind::Nothing) return give_up();
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
  writer_->guard(false, fmt::format("__builtin_fabs({}) < CN_INFINITY", lp));
  AbstractFrame& top = state_.top();
  top.dst = at->a;
  top.kind = FrameKind::Normal;
  top.slots.resize(site.live + 1u);
  std::vector<AbstractFrame>& frames = state_.frames;
  for (std::size_t i = 0; i < frames.size(); ++i)
    for (std::size_t s = 0; s < frames[i].slots.size(); ++s)
      if (!live(frames[i], i + 1 == frames.size(), s)) frames[i].slots[s] = AbstractValue{};
  finish_numbers(frames);
  std::size_t point = point_of(frames, site.site);
  if (point == kMakeFirst) {
    Made made;
    for (AbstractFrame& frame : frames)
      for (AbstractValue& k : frame.slots) materialize(k, made);
    point = point_of(frames, site.site);
  }
  if (point == kNoPoint) return give_up();
  stop_at(point, frames, given_ ? "sum + " + lp : lp);
  return false;
}

}  // namespace chancel::native
