// SPDX-License-Identifier: Apache-2.0
// See delayed_draws.hpp: beta, gamma and Dirichlet draws, and what is conjugate to them.
#include "delay/delayed_draws.hpp"
#include "delay/known_distributions.hpp"
#include "math/elementary.hpp"
#include "math/log_space.hpp"
#include "math/special.hpp"
#include "record/dataflow.hpp"
#include "value/number.hpp"
#include "value/observed_value.hpp"

namespace chancel {

DrawId DelayedDraws::conjugate_parent(const Distribution& distribution) const {
  const auto beta = [&](std::size_t i) -> DrawId {
    const Value& v = distribution.parameters[i];
    if (!v.is(Tag::Node)) return 0;
    const auto id = static_cast<DrawId>(v.bits);
    return store_.kind(id) == DrawKind::Beta ? id : 0;
  };
  const auto rate = [&](std::size_t i) -> DrawId {
    const auto p = power(distribution.parameters[i]);
    return p && p->exponent == 1 ? p->gamma : 0;
  };
  const KnownDistributions& known = known_distributions();
  if (distribution.type == known.flip || distribution.type == known.bernoulli ||
      distribution.type == known.geometric)
    return beta(0);
  if (distribution.type == known.binomial)
    return distribution.parameters[0].is_number() ? beta(1) : 0;
  if (distribution.type == known.poisson || distribution.type == known.exponential) return rate(0);
  if (distribution.type == known.gamma) return distribution.parameters[0].is_number() ? rate(1) : 0;
  if (distribution.type == known.discrete) {
    std::vector<Value> weights;
    if (!distribution.type->wide_density ||
        !distribution.type->wide_density->parameters(distribution.parameters.data(), 1, &weights))
      return 0;
    DrawId whole = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (!weights[i].is(Tag::Node)) return 0;
      const auto id = static_cast<DrawId>(weights[i].bits);
      if (store_.kind(id) != DrawKind::Part ||
          store_.field(id, 1).i != static_cast<std::int64_t>(i))
        return 0;
      if (whole && store_.link(id, 0) != whole) return 0;
      whole = store_.link(id, 0);
    }
    if (!whole || store_.kind(whole) != DrawKind::Dirichlet ||
        store_.field_count(whole) != weights.size() + 2)
      return 0;
    return whole;
  }
  return 0;
}

// The distribution of a draw with the parent summed out, if it is one of the library's; else nil.
Value DelayedDraws::predictive_distribution(const Distribution& distribution, DrawId parent) {
  if (distribution.type == known_distributions().flip ||
      distribution.type == known_distributions().bernoulli ||
      distribution.type == known_distributions().discrete)
    return distribution.type->construct(cx(), typical_of(distribution, parent).parameters.data(),
                                        1);
  return Value::nil();
}

DelayedDraws::Distribution DelayedDraws::typical_of(const Distribution& distribution,
                                                    DrawId parent) {
  Distribution typical = distribution;
  if (store_.kind(parent) == DrawKind::Dirichlet) {
    std::vector<Value> weights;
    for (std::size_t i = 2; i < store_.field_count(parent); ++i)
      weights.push_back(store_.field(parent, i));
    typical.parameters = {make_vector(*cx().arena, weights.data(), weights.size())};
    return typical;
  }
  const double a = store_.number(parent, 0);
  const double b = store_.number(parent, 1);
  if (store_.kind(parent) == DrawKind::Beta) {
    typical.parameters[distribution.type == known_distributions().binomial ? 1 : 0] =
        Value::real(a / (a + b));
    return typical;
  }
  const std::size_t at = distribution.type == known_distributions().gamma ? 1 : 0;
  typical.parameters[at] = Value::real(power(distribution.parameters[at])->coefficient * a / b);
  return typical;
}

std::optional<double> DelayedDraws::condition(const Distribution& distribution,
                                              const Value& given) {
  const DrawId parent = conjugate_parent(distribution);
  const KnownDistributions& known = known_distributions();
  // Whether the value is possible at all, and the distribution's own form of it.
  const Distribution typical = typical_of(distribution, parent);
  const auto own = [&]() -> std::optional<Value> {
    const Value d = distribution.type->construct(
        cx(), typical.parameters.data(), static_cast<std::uint32_t>(typical.parameters.size()));
    double score = 0;
    if (!ok() || !observe_score(cx(), d, given, &score) || score == kLogZero) return std::nullopt;
    return own_value(cx(), d.as<Dist>(), given);
  };
  const auto impossible = [&]() -> std::optional<double> {
    return ok() ? std::optional<double>(kLogZero) : std::nullopt;
  };
  if (store_.kind(parent) == DrawKind::Dirichlet) {
    std::vector<Value> fields;
    double sum = 0;
    for (std::size_t i = 0; i < store_.field_count(parent); ++i) {
      fields.push_back(store_.field(parent, i));
      if (i >= 2) sum += fields.back().d;
    }
    const auto x = own();
    if (!x) return impossible();
    Value& weight = fields[static_cast<std::size_t>(x->i) + 2];
    const double chance = weight.d / sum;
    weight = Value::real(weight.d + 1);
    store_.set(parent, DrawKind::Dirichlet, fields);
    return math::log(chance);
  }
  const double a = store_.number(parent, 0);
  const double b = store_.number(parent, 1);
  const auto become = [&](DrawKind kind, double more_a, double more_b) {
    store_.set(parent, kind,
               {Value::real(a + more_a), Value::real(b + more_b), store_.field(parent, 2),
                store_.field(parent, 3)});
  };
  if (store_.kind(parent) == DrawKind::Beta) {
    const auto x = own();
    if (!x) return impossible();
    double yes = 0;
    double no = 0;
    double ways = 0;  // log
    if (distribution.type == known.binomial) {
      const double n = to_double(distribution.parameters[0]);
      yes = to_double(*x);
      no = n - yes;
      ways = log_factorial(n) - log_factorial(yes) - log_factorial(no);
    } else if (distribution.type == known.geometric) {
      yes = 1;
      no = to_double(*x);
    } else {
      yes = x->is(Tag::Bool) ? static_cast<double>(x->truthy()) : to_double(*x);
      no = 1 - yes;
      become(DrawKind::Beta, yes, no);
      return math::log((yes > 0 ? a : b) / (a + b));
    }
    become(DrawKind::Beta, yes, no);
    return ways + log_beta(a + yes, b + no) - log_beta(a, b);
  }
  const std::size_t at = distribution.type == known.gamma ? 1 : 0;
  const double factor = power(distribution.parameters[at])->coefficient;
  const auto own_form = own();
  if (!own_form) return impossible();
  const double x = to_double(*own_form);
  if (distribution.type == known.poisson) {
    become(DrawKind::Gamma, x, factor);
    return log_gamma(a + x) - log_gamma(a) - log_factorial(x) + a * math::log(b) +
           x * math::log(factor) - (a + x) * math::log(b + factor);
  }
  const double shape = distribution.type == known.gamma ? to_double(distribution.parameters[0]) : 1;
  become(DrawKind::Gamma, shape, factor * x);
  const double power_of_x = shape == 1 ? 0 : (shape - 1) * math::log(x);
  return log_gamma(a + shape) - log_gamma(a) - log_gamma(shape) + shape * math::log(factor) +
         power_of_x + a * math::log(b) - (a + shape) * math::log(b + factor * x);
}

}  // namespace chancel
