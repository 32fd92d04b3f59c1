// SPDX-License-Identifier: Apache-2.0
// See delayed_draws.hpp: samples that are put off. Normal ones are in delayed_normals.cpp.
#include <algorithm>

#include "delay/delayed_draws.hpp"
#include "delay/in_store.hpp"
#include "delay/known_distributions.hpp"
#include "math/elementary.hpp"
#include "record/dataflow.hpp"
#include "value/equality.hpp"
#include "value/number.hpp"

namespace chancel {

namespace {
constexpr std::uint32_t kMostValues = 64;  // of a finite draw that is summed out
}  // namespace

bool DelayedDraws::put_off(NativeContext& context, Value* v, std::uint32_t site,
                           const Value& given_id) {
  return in_store(context, [&] {
    const Value id = pinned(given_id);
    if (!ok()) return false;
    const DrawAddress place{site, id};
    if (v->is(Tag::Node)) {
      Value out;
      if (put_off_table(static_cast<DrawId>(v->bits), place, &out)) {
        *v = out;
        return true;
      }
      if (!ok()) return false;
      *v = pinned(*v);
      if (!ok()) return false;
    }
    if (node_dist_type(v->as<Dist>())) {
      Value out;
      // A draw that was needed on the way changes what can be put off.
      for (std::size_t before = 0;; ++before) {
        const Distribution distribution = read(*v);
        if (std::none_of(distribution.parameters.begin(), distribution.parameters.end(),
                         [&](const Value& p) { return holds_open_nodes(p); }))
          break;
        if (put_off_open(distribution, *v, place, &out)) {
          *v = out;
          return true;
        }
        if (!ok()) return false;
        if (before == 3) break;
      }
      *v = pinned(*v);
      if (!ok()) return false;
    }
    Value out;
    if (!put_off_plain(*v, place, &out)) return false;
    *v = out;
    return true;
  });
}

bool DelayedDraws::put_off_plain(const Value& dist, const DrawAddress& place, Value* out) {
  const auto* d = dist.as<Dist>();
  const DistType* type = d->type;
  const Distribution distribution = read(dist);
  const auto number = [&](std::size_t i) {
    return Value::real(to_double(distribution.parameters[i]));
  };
  const Value site = Value::integer(place.site);
  if (type == known_distributions().normal) {
    AffineForm mean;
    mean.constant = to_double(distribution.parameters[0]);
    return put_off_normal(mean, distribution.parameters[1], place, out);
  }
  if (type == known_distributions().mvn) return put_off_mvn(distribution, place, out);
  if (type == known_distributions().gamma || type == known_distributions().inverse_gamma ||
      type == known_distributions().exponential) {
    const bool one = type == known_distributions().exponential;
    const DrawId id = store_.add(
        DrawKind::Gamma, {one ? Value::real(1) : number(0), number(one ? 0 : 1), site, place.id});
    *out = type == known_distributions().inverse_gamma ? make_power({1, id, -1}) : Value::node(id);
    return true;
  }
  const bool unit = type == known_distributions().uniform &&
                    to_double(distribution.parameters[0]) == 0 &&
                    to_double(distribution.parameters[1]) == 1;
  if (type == known_distributions().beta || unit) {
    *out = Value::node(store_.add(
        DrawKind::Beta,
        {unit ? Value::real(1) : number(0), unit ? Value::real(1) : number(1), site, place.id}));
    return true;
  }
  if (type == known_distributions().dirichlet) {
    std::vector<Value> weights;
    if (!type->wide_density->parameters(distribution.parameters.data(), 1, &weights)) return false;
    std::vector<Value> fields{site, place.id};
    for (const Value& w : weights) fields.push_back(Value::real(to_double(w)));
    const DrawId id = store_.add(DrawKind::Dirichlet, fields);
    std::vector<Value> parts;
    for (std::size_t i = 0; i < weights.size(); ++i)
      parts.push_back(Value::node(
          store_.add(DrawKind::Part, {link_to(id), Value::integer(static_cast<std::int64_t>(i))})));
    *out = make_vector(*cx().arena, parts.data(), parts.size());
    return true;
  }
  if (type == known_distributions().seating && !seats_) return false;
  if (!type->discrete || type->support == DistSupport::Point || type->estimated || type->fit ||
      !type->log_prob || !type->enumerate)
    return false;
  FiniteDraw draw;
  draw.place = place;
  draw.values = type->enumerate(d, *cx().arena);
  if (!draw.values.is(Tag::Vector) || draw.size() == 0 || draw.size() > kMostValues) return false;
  for (std::uint32_t i = 0; i < draw.size(); ++i)
    draw.chances.push_back(
        math::exp(type->log_prob(cx(), d, vector_nth(draw.values.as<Vector>(), i))));
  if (!ok()) return false;
  *out = Value::node(finite_.add(draw));
  return true;
}

// A draw whose distribution depends on a finite draw: a row of probabilities for each value of
// that.
bool DelayedDraws::put_off_table(DrawId table, const DrawAddress& place, Value* out) {
  if (known_value(table)) return false;
  const auto* rows = store_.field(table, 1).as<Vector>();
  FiniteDraw draw;
  draw.parent = store_.link(table, 0);
  draw.place = place;
  std::vector<Value> values;
  for (std::uint32_t j = 0; j < rows->count; ++j) {
    const Value& distribution = vector_nth(rows, j);
    if (!distribution.is(Tag::Dist)) return false;
    const auto* d = distribution.as<Dist>();
    if (!d->type->discrete || !d->type->enumerate || !d->type->log_prob || d->type->estimated ||
        d->type->fit)
      return false;
    const Value support = d->type->enumerate(d, *cx().arena);
    if (!support.is(Tag::Vector) || support.as<Vector>()->count > kMostValues) return false;
    for (std::uint32_t i = 0; i < support.as<Vector>()->count; ++i) {
      const Value& value = vector_nth(support.as<Vector>(), i);
      if (i < values.size() && equal(values[i], value)) continue;
      if (std::none_of(values.begin(), values.end(),
                       [&](const Value& known) { return equal(known, value); }))
        values.push_back(value);
    }
  }
  if (values.empty() || values.size() > kMostValues) return false;
  draw.values = make_vector(*cx().arena, values.data(), values.size());
  for (std::uint32_t j = 0; j < rows->count; ++j) {
    const auto* d = vector_nth(rows, j).as<Dist>();
    for (const Value& value : values)
      draw.chances.push_back(math::exp(d->type->log_prob(cx(), d, value)));
  }
  if (!ok()) return false;
  *out = Value::node(finite_.add(draw));
  return true;
}

bool DelayedDraws::put_off_open(const Distribution& distribution, const Value& dist,
                                const DrawAddress& place, Value* out) {
  if (distribution.type == known_distributions().normal) {
    const auto mean = affine(distribution.parameters[0]);
    return mean && put_off_normal(*mean, distribution.parameters[1], place, out);
  }
  if (distribution.type == known_distributions().mvn) return put_off_mvn(distribution, place, out);
  if (!conjugate_parent(distribution)) return false;
  *out = Value::node(store_.add(DrawKind::Child, {dist, Value::integer(place.site), place.id}));
  return true;
}

}  // namespace chancel
