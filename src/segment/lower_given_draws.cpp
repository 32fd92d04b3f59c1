// SPDX-License-Identifier: Apache-2.0
// Draws that are given: an execution takes those of another one, and its log density adds up over them and its observes,
// in their order. It must draw at the same sites from distributions of the same types; every other
// case, also values without density, is left to the interpreter (infer/replay.cpp says what it
// means).
//
// All particles of a batch take the same draws. As long as none has gone another way it is known which draw is next, so
// that its value, and what follows from it, is the same for all and worked out once.
#include <algorithm>

#include "segment/lowering.hpp"

namespace chancel::segment {

// Which draw is next.
ValueId Lowering::number_of_given() {
  const ValueId more = build_->integer(static_cast<std::int64_t>(state_.draws));
  return straight() ? more : build_->emit(Opcode::Plus, {build_->emit(Opcode::Taken), more});
}

ValueId Lowering::type_constant(const DistType* type) {
  return build_->emit(Opcode::TypeAt, {.object = type}, {});
}

// The value of the next given draw, at this site and from a distribution of the type.
AbstractValue Lowering::next_given(ValueId type, std::uint32_t site) {
  const ValueId place =
      build_->emit(Opcode::GivenDraw, {.number = site}, {number_of_given(), type});
  return emit(Opcode::GivenValue, {place});
}

// A draw that is impossible is the end of it, whatever would follow: so it is in the interpreter.
void Lowering::add_density(ValueId log_prob) {
  build_->effect(Opcode::AddDensity, {log_prob});
  ++state_.draws;
}

void Lowering::end_of_given(bool last) {
  build_->effect(Opcode::EndOfGiven, {.number = last ? 1 : 0}, {number_of_given()});
}

// The score of the next given draw, which is x, by a distribution of any type, or of this one.
ValueId Lowering::score_given(const AbstractValue& distribution, const DistType* type,
                              const AbstractValue& x) {
  if (type && !type->fit) return score(distribution, x);
  AbstractValue shown = distribution;
  materialize(shown);
  return build_->emit(Opcode::ScoreGiven, {boxed(shown), boxed(x), number_of_given()});
}

// (sample (produce process)), without making the distribution, which would be of this type.
void Lowering::take_produced(const NativeDef* produce, const AbstractValue& process,
                             const DistType* type, const Instr* at) {
  const AbstractValue x =
      of_distribution(next_given(type_constant(type), ext_site(at[1]).site), type);
  add_density(build_->emit(Opcode::ScoreSeat, {.object = process.process, .other = produce},
                           {boxed(process), boxed(x)}));
  set(at->a, x);
}

bool Lowering::take_given(const Instr* at) {
  const std::uint32_t site = ext_site(at[1]).site;
  const auto cannot = [](const DistType* distribution) {
    return distribution->estimated || !distribution->log_prob;
  };
  ++state_.applications;
  AbstractValue x;
  if (at->op == Op::SampleDirect) {
    const auto* const type = reinterpret_cast<const DistType*>(word_of(at[2]));
    if (cannot(type)) return give_up();
    std::vector<AbstractValue> parameters;
    for (std::uint32_t i = 0; i < at->c; ++i) parameters.push_back(state_.top().reg(at->b + i));
    materialize(parameters);
    x = of_distribution(next_given(type_constant(type), site), type);
    // The score of a scalar distribution is the same with and without an object.
    if (type->density && !type->fit) {
      add_density(score_direct(type, parameters, x));
    } else {
      AbstractValue distribution = emit(Opcode::MakeFrom, {.object = type}, all_boxed(parameters));
      distribution.tag = Tag::Dist;
      distribution.distribution = type;
      add_density(score_given(distribution, type, x));
    }
  } else {
    const AbstractValue distribution = state_.top().reg(at->b);
    if (distribution.type != Type::Any || distribution.is_nothing()) return give_up();
    if (const DistType* type = distribution_of(distribution)) {
      if (cannot(type)) return give_up();
      x = of_distribution(next_given(type_constant(type), site), type);
      add_density(score_given(distribution, type, x));
    } else {
      if (distribution.is_constant() || distribution.is_virtual()) return give_up();
      build_->guard(build_->emit(Opcode::HasTag, {.tag = Tag::Dist}, {distribution.id}));
      x = next_given(build_->emit(Opcode::TypeOf, {distribution.id}), site);
      add_density(score_given(distribution, nullptr, x));
    }
  }
  set(at->a, x);
  return true;
}

}  // namespace chancel::segment
