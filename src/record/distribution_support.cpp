// SPDX-License-Identifier: Apache-2.0
// See distribution_support.hpp.
#include "record/distribution_support.hpp"

#include <cmath>

#include "value/collections.hpp"
#include "value/record.hpp"

namespace chancel {

namespace {

// The distributions that share the support of this one, as its definition says.
const Vector* parts_of(const Value& dist) {
  static const Name* const field = intern("%support-of");
  if (!dist.is(Tag::Record)) return nullptr;
  const int at = dist.as<Record>()->type->field_index(field);
  if (at < 0 || !dist.as<Record>()->fields[at].is(Tag::Vector)) return nullptr;
  return dist.as<Record>()->fields[at].as<Vector>();
}

bool same_support(const Dist* a, const Dist* b) {
  Graph scratch;
  const Transform s = transform_for(scratch, a, a), t = transform_for(scratch, b, b);
  return s.kind == t.kind && s.numbers == t.numbers &&
         scratch.value(s.lower) == scratch.value(t.lower) &&
         scratch.value(s.upper) == scratch.value(t.upper);
}

}  // namespace

bool is_scored(const Value& dist) {
  static const Name* const method = intern("observe*");
  if (dist.is(Tag::Dist)) {
    const DistType& type = *dist.as<Dist>()->type;
    return type.log_prob && !type.estimated;
  }
  return dist.is(Tag::Record) && dist.as<Record>()->type->methods.contains(method);
}

std::optional<SupportDistribution> support_distribution(const Value& given, const Value& present) {
  if (present.is(Tag::Dist)) {
    if (!moves_along_gradient(present.as<Dist>())) return std::nullopt;
    return SupportDistribution{given.as<Dist>(), present.as<Dist>()};
  }
  const Vector *all = parts_of(given), *now = parts_of(present);
  if (!all || !now || !is_scored(present)) return std::nullopt;
  std::optional<SupportDistribution> first;
  for (std::uint32_t i = 0; i < now->count; ++i) {
    const auto distribution = support_distribution(vector_nth(all, i), vector_nth(now, i));
    if (!distribution || (first && !same_support(first->present, distribution->present)))
      return std::nullopt;
    if (!first) first = distribution;
  }
  return first;
}

std::vector<SupportDistribution> support_distributions(const Value& given, const Value& present) {
  if (present.is(Tag::Dist)) return {{given.as<Dist>(), present.as<Dist>()}};
  std::vector<SupportDistribution> distributions;
  const Vector *all = parts_of(given), *now = parts_of(present);
  for (std::uint32_t i = 0; all && now && i < now->count; ++i)
    for (const SupportDistribution& distribution :
         support_distributions(vector_nth(all, i), vector_nth(now, i)))
      distributions.push_back(distribution);
  return distributions;
}

bool moves_along_gradient(const Value& dist) {
  return support_distribution(dist, dist).has_value();
}

Transform transform_for(Graph& graph, const Value& given, const Value& present) {
  const auto distribution = support_distribution(given, present);
  if (distribution) return transform_for(graph, distribution->given, distribution->present);
  Transform none;
  none.lower = graph.constant(-INFINITY);
  none.upper = graph.constant(INFINITY);
  return none;
}

}  // namespace chancel
