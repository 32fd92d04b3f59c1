// SPDX-License-Identifier: Apache-2.0
// See law_support.hpp.
#include "record/law_support.hpp"

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

std::optional<SupportLaw> support_law(const Value& given, const Value& present) {
  if (present.is(Tag::Dist)) {
    if (!moves_along_gradient(present.as<Dist>())) return std::nullopt;
    return SupportLaw{given.as<Dist>(), present.as<Dist>()};
  }
  const Vector *all = parts_of(given), *now = parts_of(present);
  if (!all || !now || !is_scored(present)) return std::nullopt;
  std::optional<SupportLaw> first;
  for (std::uint32_t i = 0; i < now->count; ++i) {
    const auto law = support_law(vector_nth(all, i), vector_nth(now, i));
    if (!law || (first && !same_support(first->present, law->present))) return std::nullopt;
    if (!first) first = law;
  }
  return first;
}

std::vector<SupportLaw> support_laws(const Value& given, const Value& present) {
  if (present.is(Tag::Dist)) return {{given.as<Dist>(), present.as<Dist>()}};
  std::vector<SupportLaw> laws;
  const Vector *all = parts_of(given), *now = parts_of(present);
  for (std::uint32_t i = 0; all && now && i < now->count; ++i)
    for (const SupportLaw& law : support_laws(vector_nth(all, i), vector_nth(now, i)))
      laws.push_back(law);
  return laws;
}

bool moves_along_gradient(const Value& dist) { return support_law(dist, dist).has_value(); }

Transform transform_for(Graph& graph, const Value& given, const Value& present) {
  const auto law = support_law(given, present);
  if (law) return transform_for(graph, law->given, law->present);
  Transform none;
  none.lower = graph.constant(-INFINITY);
  none.upper = graph.constant(INFINITY);
  return none;
}

}  // namespace chancel
