// SPDX-License-Identifier: Apache-2.0
// See delayed_draws.hpp: distributions whose parameters are nodes, read and constructed.
#include <algorithm>

#include "delay/delayed_draws.hpp"
#include "delay/in_store.hpp"
#include "delay/known_distributions.hpp"
#include "record/dataflow.hpp"
#include "record/substitute.hpp"
#include "value/number.hpp"

namespace chancel {

namespace {
std::span<const Value> values_of(const Dist* d) { return {&d->values[0], d->value_count}; }
}  // namespace

DelayedDraws::Distribution DelayedDraws::read(const Value& dist) const {
  Distribution distribution;
  if (!dist.is(Tag::Dist)) return distribution;
  const auto* d = dist.as<Dist>();
  const DistType* open = node_dist_type(d);
  distribution.type = open ? open : d->type;
  const auto values = values_of(d);
  distribution.parameters.reserve(values.size());
  for (const Value& v : values) distribution.parameters.push_back(resolve(v));
  return distribution;
}

Value DelayedDraws::construct(NativeContext& context, const DistType* type, const Value* args,
                              std::uint32_t count) {
  const auto open = [&](const Value& v) {
    return v.is(Tag::Node) || (v.is_object() && holds_nodes(context, v));
  };
  if (std::none_of(args, args + count, open)) return type->construct(context, args, count);
  return in_store(context, [&]() -> Value {
    Distribution distribution{type, {args, args + count}};
    std::vector<Value>& given = distribution.parameters;
    for (;;) {
      for (Value& v : given) v = resolve(v);
      if (std::none_of(given.begin(), given.end(), open))
        return type->construct(cx(), given.data(), count);
      const auto finite = std::find_if(given.begin(), given.end(),
                                       [&](const Value& v) { return finite_of(v) != 0; });
      if (finite != given.end()) {
        if (const auto table = lift(given.data(), count, [&](const Value* v) {
              return type->construct(cx(), v, count);
            }))
          return *table;
        if (ok()) *finite = pinned(*finite);
      } else if (const auto drawn = needed(distribution)) {
        given[*drawn] = pinned(given[*drawn]);
      } else {
        return make_node_dist(*cx().arena, type, given.data(), count);
      }
      if (!ok()) return Value::nil();
    }
  });
}

std::optional<std::size_t> DelayedDraws::needed(const Distribution& distribution) {
  const std::vector<Value>& given = distribution.parameters;
  if (distribution.type == known_distributions().normal && given.size() == 2) {
    if (!affine(given[0])) return 0;
    const auto p = power(given[1]);
    if (p ? p->exponent == -0.5 : given[1].is_number() && to_double(given[1]) > 0)
      return std::nullopt;
    return holds_open_nodes(given[1]) ? 1 : 0;
  }
  if (distribution.type == known_distributions().mvn && given.size() == 2) {
    std::vector<Value> mean;
    SmallMatrix covariance;
    if (holds_open_nodes(given[1])) return 1;
    const bool usable = mvn_parameters(distribution.type, given, &mean, &covariance) &&
                        std::all_of(mean.begin(), mean.end(),
                                    [&](const Value& v) { return affine(v).has_value(); });
    return usable ? std::nullopt : std::optional<std::size_t>(0);
  }
  if (const DrawId parent = conjugate_parent(distribution)) {
    const Distribution typical = typical_of(distribution, parent);
    typical.type->construct(cx(), typical.parameters.data(),
                            static_cast<std::uint32_t>(typical.parameters.size()));
    if (ok()) return std::nullopt;
    cx().status = NativeContext::Status::Ok;
  }
  return std::find_if(given.begin(), given.end(),
                      [&](const Value& v) { return holds_open_nodes(v); }) -
         given.begin();
}

}  // namespace chancel
