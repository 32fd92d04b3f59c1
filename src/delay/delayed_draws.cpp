// SPDX-License-Identifier: Apache-2.0
// See delayed_draws.hpp. This file has nodes, when they are drawn, and what control asks of them;
// functions of nodes are in delayed_functions.cpp, distributions in delayed_distributions.cpp.
#include "delay/delayed_draws.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "base/planted.hpp"
#include "delay/in_store.hpp"
#include "delay/known_distributions.hpp"
#include "math/elementary.hpp"
#include "record/carried.hpp"
#include "record/recordable.hpp"
#include "record/substitute.hpp"
#include "value/equality.hpp"
#include "value/number.hpp"
#include "value/world.hpp"

namespace chancel {

std::unique_ptr<DelayHook> make_delayed_draws(bool seats) {
  return std::make_unique<DelayedDraws>(seats);
}

// --- values ---

std::optional<Value> DelayedDraws::known_value(DrawId id) const {
  const DrawRecord r = store_.record(id);
  const auto known = [](const DrawRecord& of) { return of.kind() == DrawKind::Known; };
  switch (r.kind()) {
    case DrawKind::Known:
      return r.field(0);
    case DrawKind::Affine: {
      double sum = r.number(0);
      for (std::size_t i = 1; i < r.field_count(); i += 2) {
        const DrawRecord component = store_.record(r.link(i));
        if (!known(component)) return std::nullopt;
        sum += component.number(0) * r.number(i + 1);
      }
      return Value::real(sum);
    }
    case DrawKind::Power: {
      const DrawRecord gamma = store_.record(r.link(1));
      if (!known(gamma)) return std::nullopt;
      return Value::real(r.number(0) * math::pow(gamma.number(0), r.number(2)));
    }
    case DrawKind::Part: {
      const DrawRecord whole = store_.record(r.link(0));
      if (!known(whole)) return std::nullopt;
      return vector_nth(whole.field(0).as<Vector>(), static_cast<std::uint32_t>(r.field(1).i));
    }
    case DrawKind::Table: {
      const DrawRecord of = store_.record(r.link(0));
      if (!known(of)) return std::nullopt;
      return vector_nth(r.field(1).as<Vector>(), static_cast<std::uint32_t>(of.field(1).i));
    }
    default:
      return std::nullopt;
  }
}

Value DelayedDraws::resolve(const Value& v) const {
  if (!v.is(Tag::Node)) return v;
  return known_value(static_cast<DrawId>(v.bits)).value_or(v);
}

bool DelayedDraws::holds_open_nodes(const Value& v) const {
  if (v.is(Tag::Node)) return !known_value(static_cast<DrawId>(v.bits));
  return v.is_object() && holds_nodes(cx(), v);
}

bool DelayedDraws::ask(DrawId id, const Value& distribution, const DrawAddress& place) {
  if (!ok()) return false;
  if (stream_) {
    const auto* d = distribution.as<Dist>();
    const Value value = d->type->sample(cx(), d, *stream_);
    if (!ok()) return false;
    take_value(id, value);
    return true;
  }
  store_.set_pending(id);
  wanted_ = {place, distribution};
  cx().status = NativeContext::Status::NeedDraw;
  return false;
}

bool DelayedDraws::force(DrawId id) {
  const auto place = [&](std::size_t at) {
    return DrawAddress{static_cast<std::uint32_t>(store_.field(id, at).i),
                       store_.field(id, at + 1)};
  };
  const auto distribution = [&](const DistType* type, double a, double b) {
    const Value args[2] = {Value::real(a), Value::real(b)};
    return type->construct(cx(), args, 2);
  };
  switch (store_.kind(id)) {
    case DrawKind::Known:
    case DrawKind::Block:
      return true;
    case DrawKind::Component: {
      const DrawId scale = gaussians_.scale_of(gaussians_.block_of(id));
      if (scale && !force(scale)) return false;
      double mean = 0;
      double variance = 0;
      gaussians_.marginal(id, &mean, &variance);
      return ask(id, distribution(known_distributions().normal, mean, std::sqrt(variance)),
                 place(1));
    }
    case DrawKind::Affine:
      for (std::size_t i = store_.field_count(id); i > 1; i -= 2)
        if (!force(store_.link(id, i - 2))) return false;
      return true;
    case DrawKind::Power:
      return force(store_.link(id, 1));
    case DrawKind::Gamma:
      return ask(
          id, distribution(known_distributions().gamma, store_.number(id, 0), store_.number(id, 1)),
          place(2));
    case DrawKind::Beta:
      return ask(
          id, distribution(known_distributions().beta, store_.number(id, 0), store_.number(id, 1)),
          place(2));
    case DrawKind::Dirichlet: {
      std::vector<Value> weights;
      for (std::size_t i = 2; i < store_.field_count(id); ++i)
        weights.push_back(store_.field(id, i));
      const Value args = make_vector(*cx().arena, weights.data(), weights.size());
      return ask(id, known_distributions().dirichlet->construct(cx(), &args, 1), place(0));
    }
    case DrawKind::Part:
      return force(store_.link(id, 0));
    case DrawKind::Finite: {
      const FiniteDraw d = finite_.root_at(id);
      std::vector<Value> pairs;
      for (std::uint32_t i = 0; i < d.size(); ++i) {
        const Value pair[2] = {vector_nth(d.values.as<Vector>(), i), Value::real(d.chances[i])};
        pairs.push_back(make_vector(*cx().arena, pair, 2));
      }
      const Value args = make_vector(*cx().arena, pairs.data(), pairs.size());
      return ask(id, known_distributions().categorical->construct(cx(), &args, 1), d.place);
    }
    case DrawKind::Table:
      return force(store_.link(id, 0));
    case DrawKind::Child: {
      const Distribution of = read(store_.field(id, 0));
      Value now = Value::nil();
      if (const DrawId parent = conjugate_parent(of)) now = predictive_distribution(of, parent);
      if (now.is_nil()) now = pinned(store_.field(id, 0));
      return ok() && ask(id, now, place(1));
    }
  }
  return true;
}

void DelayedDraws::take_value(DrawId id, const Value& value) {
  switch (store_.kind(id)) {
    case DrawKind::Component:
      gaussians_.set_value(id, to_double(value));
      break;
    case DrawKind::Finite:
      finite_.set_value(id, value);
      break;
    case DrawKind::Child: {
      const Distribution distribution = read(store_.field(id, 0));
      if (conjugate_parent(distribution) && !planted(Mistake::ChildNotTakenIn))
        condition(distribution, value);
      store_.set_known(id, value);
      break;
    }
    default:
      store_.set_known(id, value);
      break;
  }
}

bool DelayedDraws::waits(const NativeContext& context) const {
  DrawStore store;
  store.load(const_cast<NativeContext&>(context));
  return store.pending() != 0;
}

void DelayedDraws::answer(NativeContext& context, const Value& value) {
  in_store(context, [&] {
    const DrawId id = store_.pending();
    store_.set_pending(0);
    take_value(id, value);
    return true;
  });
}

bool DelayedDraws::force_all(const Value& v) {
  std::vector<DrawId> ids;
  each_node(cx(), v, [&](NodeIndex i) { ids.push_back(i); });
  return force_all(std::move(ids));
}

bool DelayedDraws::force_all(std::vector<DrawId> ids) {
  // The last ones first: the root of a chain is at its end.
  std::sort(ids.begin(), ids.end(), std::greater<>());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return std::all_of(ids.begin(), ids.end(), [&](DrawId id) { return force(id); });
}

Value DelayedDraws::pinned(const Value& v) {
  if (v.is(Tag::Node)) {
    const auto id = static_cast<DrawId>(v.bits);
    if (!force(id)) return Value::nil();
    return *known_value(id);
  }
  if (!v.is_object() || !holds_nodes(cx(), v)) return v;
  if (!force_all(v)) return Value::nil();
  return substitute(cx(), v, ValueOf([&](NodeIndex i) { return *known_value(i); }));
}

Value DelayedDraws::pin(NativeContext& context, const Value& v) {
  if (!may_hold_nodes(v)) return v;
  return in_store(context, [&] { return pinned(v); });
}

Value DelayedDraws::present(NativeContext& context, const Value& v) {
  if (!may_hold_nodes(v)) return v;
  return in_store(context, [&] {
    const auto shown = [&](NodeIndex id) {
      const Value value = resolve(Value::node(id));
      if (!value.is(Tag::Node)) return value;
      return store_.kind(id) == DrawKind::Table ? vector_nth(store_.field(id, 1).as<Vector>(), 0)
                                                : Value::real(1);
    };
    const Value result = substitute(cx(), v, ValueOf(shown));
    if (ok()) return result;
    cx().status = NativeContext::Status::Ok;
    return Value::nil();
  });
}

void DelayedDraws::draw_for_methods(NativeContext& context, const Value& dist) {
  std::vector<Value> open{dist};
  const auto world = remembered(context);
  open.insert(open.end(), world.begin(), world.end());
  std::vector<DrawId> ids;
  std::unordered_set<const Object*> met;
  while (!open.empty()) {
    const Value from = open.back();
    open.pop_back();
    each_value(context, from, [&](const Value& part) {
      if (part.is(Tag::Node)) ids.push_back(static_cast<DrawId>(part.bits));
      if (part.is(Tag::Atom) && met.insert(part.o).second) open.push_back(part.as<Atom>()->initial);
      if (part.is(Tag::Delay) && met.insert(part.o).second) open.push_back(part.as<Delay>()->value);
    });
  }
  in_store(context, [&] { return force_all(std::move(ids)); });
}

// --- control ---

bool DelayedDraws::test(NativeContext& context, Test test, const Value& node) {
  if (test == Test::Reduced) return false;
  return in_store(context, [&] {
    const auto holds = [&](const Value& v) {
      return test == Test::Truth ? v.truthy() : v.is_nil();
    };
    const auto id = static_cast<DrawId>(node.bits);
    if (const auto value = known_value(id)) return holds(*value);
    const DrawKind kind = store_.kind(id);
    if (kind != DrawKind::Table && kind != DrawKind::Finite && kind != DrawKind::Child)
      return test == Test::Truth;  // a number
    const Value value = pinned(node);
    return ok() && holds(value);
  });
}

int DelayedDraws::order(NativeContext& context, const char* function, const Value& a,
                        const Value& b) {
  const Value x = pin(context, a);
  if (!context.ok()) return 2;
  const Value y = pin(context, b);
  if (!context.ok()) return 2;
  return number_order(context, function, x, y);
}

bool DelayedDraws::same(NativeContext& context, const Value& a, const Value& b) {
  if (!may_hold_nodes(a) && !may_hold_nodes(b)) return equal(a, b);
  const Value x = pin(context, a);
  if (!context.ok()) return false;
  const Value y = pin(context, b);
  return context.ok() && equal(x, y);
}

Value DelayedDraws::distribution(NativeContext& context, const Value& node) {
  return in_store(context, [&] {
    const auto id = static_cast<DrawId>(node.bits);
    if (const auto value = known_value(id)) return *value;
    if (store_.kind(id) == DrawKind::Table) {
      const auto* values = store_.field(id, 1).as<Vector>();
      bool distributions = true;
      for (std::uint32_t i = 0; distributions && i < values->count; ++i)
        distributions = vector_nth(values, i).is(Tag::Dist);
      if (distributions) return node;
    }
    return pinned(node);
  });
}

bool DelayedDraws::score(NativeContext& context, const Value& log_prob, std::uint32_t,
                         double* present) {
  const Value value = pin(context, log_prob);
  if (!context.ok()) return false;
  *present = to_double(value);
  return true;
}

}  // namespace chancel
