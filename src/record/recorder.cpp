// SPDX-License-Identifier: Apache-2.0
// See recorder.hpp: guards, pins and memory. Calls, distributions and draws have files of their
// own.
#include "record/recorder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/planted.hpp"
#include "record/substitute.hpp"
#include "value/equality.hpp"
#include "value/number.hpp"

namespace chancel {

namespace {

int order_of(double a, double b) { return a < b ? -1 : a > b ? 1 : a == b ? 0 : 2; }

}  // namespace

bool holds(const Guard& guard, double a, double b) {
  switch (guard.kind) {
    case Guard::Kind::Order:
      if (planted(Mistake::GuardFlipped)) return order_of(b, a) == guard.order;
      return order_of(a, b) == guard.order;
    case Guard::Kind::Same:
      return (a == b) == (guard.order == 1);
    case Guard::Kind::Number:
      return !std::isnan(a);
    case Guard::Kind::Pinned:
      return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  }
  return false;
}

void Recorded::visit(Evacuator& e) {
  for (RecordedDraw& d : draws) {
    e.visit(d.id);
    e.visit(d.value);
    e.visit(d.distribution);
  }
  for (WideDistribution& distribution : graph.wide()) {
    for (Value& arg : distribution.args) e.visit(arg);
    e.visit(distribution.x);
  }
  e.visit(result);
  e.visit(predicts);
}

std::size_t Recorded::bytes() const {
  return graph.bytes() + guards.capacity() * sizeof(Guard) +
         draws.capacity() * sizeof(RecordedDraw) +
         (observes.capacity() + sites.capacity() + jacobians.capacity()) * sizeof(NodeIndex);
}

void Recorder::account_now(NativeContext& cx) {
  if (!to_.charge) to_.charge.emplace(cx.arena->heap());
  to_.charge->set(to_.bytes());
  const std::size_t size = graph_.recorded() + to_.guards.size();
  account_at_ = size + std::max<std::size_t>(1000, size / 8);
}

Value Recorder::value_of(NodeIndex i) const {
  return graph_.is_constant(i) ? Value::real(graph_.value(i)) : Value::node(i);
}

Value Recorder::present(NativeContext& cx, const Value& v) {
  return substitute(cx, v, [&](NodeIndex i) { return graph_.value(i); });
}

Value Recorder::pin(NativeContext& cx, const Value& v) {
  return substitute(
      cx, v,
      [&](NodeIndex i) {
        i = graph_.shared(i);
        if (graph_.is_constant(i)) return graph_.value(i);
        if (i >= pinned_.size()) pinned_.resize(graph_.size(), false);
        if (!pinned_[i]) {
          pinned_[i] = true;
          if (to_.pinned_by.empty()) to_.pinned_by = pinning_ ? pinning_->name : "control";
          const double now = graph_.value(i);
          if (planted(Mistake::PinNotGuarded)) return now;
          to_.guards.push_back({Guard::Kind::Pinned, i, graph_.constant(now), 0,
                                static_cast<std::uint32_t>(to_.draws.size())});
        }
        return graph_.value(i);
      },
      &with_pins_);
}

int Recorder::order(NativeContext& cx, const char* function, const Value& a, const Value& b) {
  account(cx);
  if ((!a.is(Tag::Node) && !b.is(Tag::Node)) || !is_number(a) || !is_number(b)) {
    const Value pa = present(cx, a), pb = present(cx, b);  // not numbers: a message
    return cx.ok() ? number_order(cx, function, pa, pb) : 2;
  }
  const NodeIndex na = graph_.shared(node(a)), nb = graph_.shared(node(b));
  int now = order_of(graph_.value(na), graph_.value(nb));
  if (std::find(inverted_.begin(), inverted_.end(), to_.guards.size()) != inverted_.end())
    now = now == 1 ? -1 : 1;
  if (!planted(Mistake::OrderNotGuarded))
    to_.guards.push_back({Guard::Kind::Order, na, nb, now, 0, true});
  return now;
}

bool Recorder::same(NativeContext& cx, const Value& a, const Value& b) {
  const auto is_double = [](const Value& v) { return v.is(Tag::Node) || v.is(Tag::Double); };
  if (!a.is(Tag::Node) && !b.is(Tag::Node)) return equal(pin(cx, a), pin(cx, b));
  if (!is_double(a) || !is_double(b)) return false;
  const NodeIndex na = graph_.shared(node(a)), nb = graph_.shared(node(b));
  const bool now = graph_.value(na) == graph_.value(nb);
  if (!planted(Mistake::EqualNotGuarded))
    to_.guards.push_back({Guard::Kind::Same, na, nb, now ? 1 : 0, 0});
  return now;
}

}  // namespace chancel
