// SPDX-License-Identifier: Apache-2.0
// Draws that are given: an execution takes those of another one, and its log density adds up over them and its observes,
// in their order. It must draw at the same sites from distributions of the same types; every other
// case, also values without density, is left to the interpreter (infer/replay.cpp says what it
// means).
//
// All particles of a batch take the same draws. As long as none has gone another way it is known which draw is next, so
// that its value, and what follows from it, is the same for all and worked out once.
#include <fmt/format.h>

#include <algorithm>

#include "native/translator.hpp"

namespace chancel::native {

// Which draw is next.
std::string Translator::number_of_given() const {
  return writer_->straight ? std::to_string(state_.draws) : fmt::format("taken + {}", state_.draws);
}

// The value of the next given draw, at this site and from a distribution of the type in this
// variable or constant.
AbstractValue Translator::next_given(const std::string& distribution_type, bool uniform,
                                     std::uint32_t site) {
  const AbstractValue place =
      writer_->compute(Type::Int, uniform,
                       fmt::format("(int64_t)(intptr_t)cn_given(b, {}, {}, {})", number_of_given(),
                                   site, distribution_type));
  writer_->guard(uniform, Writer::name(place.variable) + " != 0");
  return writer_->compute(
      Type::Any, uniform,
      fmt::format("*(const cn_value*)(intptr_t){}", Writer::name(place.variable)));
}

// A draw that is impossible is the end of it, whatever would follow: so it is in the interpreter.
void Translator::add_density(const std::string& log_prob) {
  writer_->line(fmt::format(
      "if (unlikely(!(__builtin_fabs({0}) < CN_INFINITY))) {{ if ({0} != -CN_INFINITY) goto bail; "
      "b->score[i] = {0}; b->to[i].top = 0; ++ended; continue; }}",
      log_prob));
  writer_->line(fmt::format("sum += {};", log_prob));
  ++state_.draws;
}

void Translator::end_of_given(bool last) {
  const bool known = writer_->straight;
  writer_->guard(known, fmt::format("b->given_count == {} && {}b->given_last", number_of_given(),
                                    last ? "" : "!"));
}

// The score of the next given draw, which is x, by a distribution of any type, or of this one.
std::string Translator::score_given(const AbstractValue& distribution, const DistType* type,
                                    const AbstractValue& x) {
  if (type && !type->fit) return score(distribution, x);
  AbstractValue shown = distribution;
  materialize(shown);
  const bool uniform = distribution.is_uniform() && x.is_uniform();
  const AbstractValue lp =
      writer_->compute(Type::Double, uniform,
                       fmt::format("b->score_draw(b, {}, {}, {})", writer_->boxed(shown),
                                   writer_->boxed(x), number_of_given()));
  writer_->guard(uniform, "b->status == 0");
  return Writer::name(lp.variable);
}

// (sample (produce process)), without making the distribution, which would be of this type.
void Translator::take_produced(const NativeDef* produce, const AbstractValue& process,
                               const DistType* type, const Instr* at) {
  leave_family();
  const AbstractValue x = of_distribution(
      next_given(writer_->pointer(type), writer_->straight, ext_site(at[1]).site), type);
  const AbstractValue lp = writer_->compute(
      Type::Double, process.is_uniform() && x.is_uniform(),
      fmt::format("cn_crp_score(b, {}, {}, {}, {})", writer_->boxed(process), writer_->boxed(x),
                  writer_->pointer(process.process), writer_->pointer(produce)));
  writer_->guard(lp.is_uniform(), "b->status == 0");
  add_density(Writer::name(lp.variable));
  set(at->a, x);
}

bool Translator::take_given(const Instr* at) {
  const std::uint32_t site = ext_site(at[1]).site;
  const auto cannot = [](const DistType* distribution) {
    return distribution->estimated || !distribution->log_prob;
  };
  ++state_.applications;
  leave_family();
  const bool known = writer_->straight;  // which draw it is
  AbstractValue x;
  if (at->op == Op::SampleDirect) {
    const auto* const type = reinterpret_cast<const DistType*>(word_of(at[2]));
    if (cannot(type)) return give_up();
    std::vector<AbstractValue> parameters;
    for (std::uint32_t i = 0; i < at->c; ++i) parameters.push_back(state_.top().reg(at->b + i));
    materialize(parameters);
    x = of_distribution(next_given(writer_->pointer(type), known, site), type);
    // The score of a scalar distribution is the same with and without an object.
    if (type->density && !type->fit) {
      add_density(score_direct(type, parameters, x));
    } else {
      const bool uniform = std::all_of(parameters.begin(), parameters.end(),
                                       [](const AbstractValue& k) { return k.is_uniform(); });
      AbstractValue distribution =
          writer_->compute(Type::Any, uniform,
                           fmt::format("b->construct(b, {}, {}, {})", writer_->pointer(type),
                                       arguments(parameters), parameters.size()));
      writer_->guard(uniform, "b->status == 0");
      distribution.tag = Tag::Dist;
      distribution.distribution = type;
      add_density(score_given(distribution, type, x));
    }
  } else {
    const AbstractValue distribution = state_.top().reg(at->b);
    if (distribution.type != Type::Any || distribution.kind == AbstractValue::Kind::Nothing)
      return give_up();
    if (const DistType* type = distribution_of(distribution)) {
      if (cannot(type)) return give_up();
      x = of_distribution(next_given(writer_->pointer(type), known, site), type);
      add_density(score_given(distribution, type, x));
    } else {
      if (distribution.is_constant() || distribution.is_virtual()) return give_up();
      const std::string v = Writer::name(distribution.variable);
      writer_->guard(distribution.is_uniform(), v + ".tag == CN_DIST");
      x = next_given(fmt::format("((const cn_dist*){}.u.o)->type", v),
                     known && distribution.is_uniform(), site);
      add_density(score_given(distribution, nullptr, x));
    }
  }
  set(at->a, x);
  return true;
}

}  // namespace chancel::native
