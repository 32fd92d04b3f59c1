// SPDX-License-Identifier: Apache-2.0
// See finite.hpp. Record: parent, site, id, values, chances.
#include "delay/finite.hpp"

#include <algorithm>
#include <cmath>

#include "base/planted.hpp"
#include "math/elementary.hpp"
#include "math/log_space.hpp"
#include "value/equality.hpp"

namespace chancel {

namespace {
std::vector<Value> fields_of(const FiniteDraw& d) {
  std::vector<Value> fields{link_to(d.parent), Value::integer(d.place.site), d.place.id, d.values};
  for (const double p : d.chances) fields.push_back(Value::real(p));
  return fields;
}
}  // namespace

DrawId FiniteDraws::add(const FiniteDraw& d) { return store_.add(DrawKind::Finite, fields_of(d)); }
void FiniteDraws::save(DrawId id, const FiniteDraw& d) {
  store_.set(id, DrawKind::Finite, fields_of(d));
}

FiniteDraw FiniteDraws::load(DrawId id) const {
  FiniteDraw d;
  d.parent = store_.link(id, 0);
  d.place = {static_cast<std::uint32_t>(store_.field(id, 1).i), store_.field(id, 2)};
  d.values = store_.field(id, 3);
  std::size_t from = 4;
  std::size_t count = store_.field_count(id) - 4;
  if (d.parent && store_.kind(d.parent) == DrawKind::Known) {
    count = d.size();
    from += static_cast<std::size_t>(store_.field(d.parent, 1).i) * count;
    d.parent = 0;
  }
  d.chances.reserve(count);
  for (std::size_t i = 0; i < count; ++i) d.chances.push_back(store_.number(id, from + i));
  return d;
}

void FiniteDraws::turn_round(DrawId parent_id, DrawId child_id) {
  FiniteDraw parent = load(parent_id);
  FiniteDraw child = load(child_id);
  const std::size_t n = parent.size();
  const std::size_t m = child.size();
  std::vector<double> marginal(m, 0);
  std::vector<double> back(m * n, 0);
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t j = 0; j < n; ++j)
      marginal[k] += back[k * n + j] = parent.chances[j] * child.chances[j * m + k];
    if (marginal[k] > 0)
      for (std::size_t j = 0; j < n; ++j) back[k * n + j] /= marginal[k];
  }
  child.parent = 0;
  child.chances = std::move(marginal);
  parent.parent = child_id;
  parent.chances = std::move(back);
  if (!planted(Mistake::FiniteEdgeHalfTurned)) save(parent_id, parent);
  save(child_id, child);
}

FiniteDraw FiniteDraws::root_at(DrawId id) {
  std::vector<DrawId> way{id};
  while (const DrawId parent = load(way.back()).parent) way.push_back(parent);
  for (std::size_t i = way.size() - 1; i > 0; --i) turn_round(way[i], way[i - 1]);
  return load(id);
}

double FiniteDraws::condition(DrawId root, const std::vector<double>& log_likelihood) {
  FiniteDraw d = load(root);
  double high = kLogZero;
  for (std::size_t i = 0; i < d.size(); ++i)
    if (d.chances[i] > 0) high = std::max(high, log_likelihood[i]);
  if (std::isinf(high)) return high;
  double sum = 0;
  for (std::size_t i = 0; i < d.size(); ++i)
    sum += d.chances[i] = d.chances[i] > 0 ? d.chances[i] * math::exp(log_likelihood[i] - high) : 0;
  for (double& p : d.chances) p /= sum;
  save(root, d);
  return high + math::log(sum);
}

void FiniteDraws::set_value(DrawId id, const Value& value) {
  const FiniteDraw d = root_at(id);
  std::uint32_t at = 0;
  while (at + 1 < d.size() && !equal(vector_nth(d.values.as<Vector>(), at), value)) ++at;
  store_.set_known(id, value, at);
}

}  // namespace chancel
