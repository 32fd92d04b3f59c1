// SPDX-License-Identifier: Apache-2.0
// See dataflow.hpp.
#include "record/dataflow.hpp"

#include <algorithm>
#include <cmath>

#include "base/planted.hpp"
#include "math/log_space.hpp"
#include "record/both_ways.hpp"
#include "record/substitute.hpp"
#include "value/collections.hpp"
#include "value/equality.hpp"
#include "value/move_fresh.hpp"
#include "value/number.hpp"
#include "value/observed_value.hpp"

namespace chancel {

NodeIndex Dataflow::add(FlowOp op, const void* what, std::uint8_t detail, const Value* arguments,
                        std::uint32_t count, const Value& value) {
  FlowNode n;
  n.value = value;
  n.what = what;
  n.first_argument = static_cast<std::uint32_t>(arguments_.size());
  n.arguments = count;
  n.op = op;
  n.detail = detail;
  arguments_.insert(arguments_.end(), arguments, arguments + count);
  nodes_.push_back(n);
  return static_cast<NodeIndex>(nodes_.size() - 1);
}

void Dataflow::take_out(NodeIndex i) {
  FlowNode& n = nodes_[i];
  n.value = Value::nil();
  n.op = FlowOp::Gone;
  n.arguments = 0;
  n.weighs = false;
}

void Dataflow::add_rows(FlowRows rows) {
  std::vector<Value> shared;
  for (const NodeIndex i : rows.shared()) shared.push_back(Value::node(i));
  const auto which = static_cast<std::uint32_t>(rows_.size());
  const NodeIndex i = add(FlowOp::Rows, nullptr, 0, shared.data(),
                          static_cast<std::uint32_t>(shared.size()), Value::nil());
  nodes_[i].number = which;
  place_of_score_.resize(scores.size());
  for (std::uint32_t row = 0; row < rows.numbers().size(); ++row)
    place_of_score_[rows.numbers()[row]] = {which, row};
  rows_.push_back(std::move(rows));
}

void Dataflow::finish() {
  gather_rows(*this);
  const auto each_use = [&](auto&& f) {
    for (NodeIndex i = 0; i < nodes_.size(); ++i)
      for (std::uint32_t k = 0; k < nodes_[i].arguments; ++k) {
        const Value& v = arguments_[nodes_[i].first_argument + k];
        if (v.is(Tag::Node)) f(nodes_[v.bits], i);
      }
  };
  each_use([](FlowNode& used, NodeIndex) { ++used.users; });
  std::uint32_t at = 0;
  for (FlowNode& n : nodes_) {
    n.first_user = at;
    at += n.users;
    n.users = 0;
  }
  users_.resize(at);
  journal_.resize(nodes_.size());
  waiting_.resize(nodes_.size());
  each_use([&](FlowNode& used, NodeIndex by) {
    const std::uint32_t end = used.first_user + used.users;
    if (used.users > 0 && users_[end - 1] == by) return;  // twice by one
    users_[end] = by;
    ++used.users;
  });
  if (planted(Mistake::UserLost))
    for (FlowNode& n : nodes_)
      if (n.users > 1) --n.users;
}

inline void Dataflow::note(NodeIndex i) {
  Changed& c = journal_[changes_++];
  c.node = i;
  move_fresh(c.before, nodes_[i].value);
}

inline void Dataflow::call_users(const FlowNode& n) {
  for (std::uint32_t k = 0; k < n.users; ++k) {
    const NodeIndex user = users_[n.first_user + k];
    if (nodes_[user].waits) continue;
    nodes_[user].waits = true;
    if (waits_ == 1 && user < waiting_[0]) {  // mostly they are few
      waiting_[1] = waiting_[0];
      waiting_[0] = user;
      waits_ = 2;
      continue;
    }
    waiting_[waits_++] = user;
    if (waits_ > 2) std::push_heap(waiting_.data(), waiting_.data() + waits_, std::greater<>());
  }
}

inline NodeIndex Dataflow::first_waiting() {
  const NodeIndex i = waiting_[0];
  if (waits_ == 2)
    waiting_[0] = waiting_[1];
  else if (waits_ > 2)
    std::pop_heap(waiting_.data(), waiting_.data() + waits_, std::greater<>());
  --waits_;
  return i;
}

bool observe_score(NativeContext& cx, const Value& distribution, const Value& x, double* out) {
  const auto* d = distribution.as<Dist>();
  *out = d->type->log_prob(cx, d, x);
  if (CHANCEL_UNLIKELY(*out == kLogZero) && cx.ok()) *out = score_equivalent(cx, d, x);
  return cx.ok();
}

namespace {

// As the run loop does: what is rare is left to the function.
inline bool take_shortcut(Shortcut shortcut, const Value* given, Value* out) {
  if (shortcut == Shortcut::None) return false;
  if (shortcut == Shortcut::Get) {
    if (!given[0].is(Tag::Vector) || !given[1].is(Tag::Int) ||
        static_cast<std::uint64_t>(given[1].i) >= given[0].as<Vector>()->count)
      return false;
    *out = vector_nth(given[0].as<Vector>(), static_cast<std::uint32_t>(given[1].i));
    return true;
  }
  if (!given[0].is(Tag::Double) || !given[1].is(Tag::Double)) return false;
  const double a = given[0].d, b = given[1].d;
  *out = Value::real(shortcut == Shortcut::Add        ? a + b
                     : shortcut == Shortcut::Subtract ? a - b
                     : shortcut == Shortcut::Multiply ? a * b
                                                      : a / b);
  return true;
}

bool holds(BranchRecorder::Asks asks, const Value& condition) {
  switch (asks) {
    case BranchRecorder::Asks::Less:
      return condition.i < 0;
    case BranchRecorder::Asks::LessOrEqual:
      return condition.i <= 0;  // 2: neither is less
    default:
      return condition.truthy();
  }
}

}  // namespace

bool passes(SymbolicHook::Test test, const Value& v) {
  switch (test) {
    case SymbolicHook::Test::Nil:
      return v.is_nil();
    case SymbolicHook::Test::Reduced:
      return v.is(Tag::Reduced);
    default:
      return v.truthy();
  }
}

bool Dataflow::work_out(NativeContext& cx, const FlowNode& n, Value* out) {
  constexpr std::size_t kFew = 8;
  Value few[kFew];
  Value* given = few;
  const Value* const arguments = arguments_.data() + n.first_argument;
  if (CHANCEL_UNLIKELY(n.arguments > kFew)) {
    gathered_.resize(n.arguments);
    given = gathered_.data();
  }
  if (n.op != FlowOp::Build)
    for (std::uint32_t k = 0; k < n.arguments; ++k) move_fresh(given[k], now(arguments[k]));
  switch (n.op) {
    case FlowOp::Call: {
      if (take_shortcut(static_cast<Shortcut>(n.detail), given, out)) return true;
      const auto* native = static_cast<const NativeDef*>(n.what);
      cx.callee = native;
      *out = native->function(cx, given, n.arguments);
      break;
    }
    case FlowOp::CallData:
      if (given[0].is(Tag::Record)) return false;  // which may be one that is called
      *out = reinterpret_cast<SymbolicHook::CallData>(const_cast<void*>(n.what))(
          cx, given[0], given + 1, n.arguments - 1u);
      break;
    case FlowOp::Construct:
      *out = static_cast<const DistType*>(n.what)->construct(cx, given, n.arguments);
      break;
    case FlowOp::Build:
      *out = substitute(cx, arguments[0],
                        [&](NodeIndex i) -> const Value& { return nodes_[i].value; });
      break;
    case FlowOp::Order:
      *out = Value::integer(number_order(cx, static_cast<const char*>(n.what), given[0], given[1]));
      break;
    case FlowOp::Same:
      *out = Value::boolean(ensure_realised(cx, given[0]) && ensure_realised(cx, given[1]) &&
                            equal(given[0], given[1]));
      break;
    case FlowOp::Test:
      *out = Value::boolean(passes(static_cast<SymbolicHook::Test>(n.detail & ~kOpposite),
                                   given[0]) != ((n.detail & kOpposite) != 0));
      break;
    case FlowOp::Select:
      move_fresh(*out, given[holds(static_cast<BranchRecorder::Asks>(n.detail), given[0]) ? 1 : 2]);
      if (planted(Mistake::WayKept)) *out = n.value;
      break;
    case FlowOp::Observe: {
      double score = 0;
      if (!given[0].is(Tag::Dist) || !given[0].as<Dist>()->type->log_prob ||
          given[0].as<Dist>()->type->estimated)
        return false;
      observe_score(cx, given[0], given[1], &score);
      *out = Value::real(score);
      break;
    }
    case FlowOp::Score:
      if (!given[0].is_number()) return false;
      *out = Value::real(to_double(given[0]));
      break;
    case FlowOp::Draw:
    case FlowOp::Distribution:
    case FlowOp::Rows:
    case FlowOp::Gone:
      return false;
  }
  if (CHANCEL_LIKELY(cx.ok())) return true;
  cx.status = NativeContext::Status::Ok;
  return false;
}

Dataflow::Outcome Dataflow::work_out_rows(std::uint32_t which, double* log_weight) {
  FlowRows& rows = rows_[which];
  row_values_.clear();
  for (const NodeIndex i : rows.shared()) {
    if (!nodes_[i].value.is(Tag::Double)) return Outcome::Elsewhere;
    row_values_.push_back(nodes_[i].value.d);
  }
  double gain;
  bool impossible;
  if (!rows.change(row_values_.data(), &gain, &impossible))
    return impossible ? Outcome::Impossible : Outcome::Elsewhere;
  changed_rows_.push_back(which);
  *log_weight += gain;
  return Outcome::Done;
}

Dataflow::Outcome Dataflow::change(NativeContext& cx, std::size_t draw, const Value& value,
                                   DrawDistributions& distributions, double* log_weight) {
  keep();
  worked_out_ = 0;
  *log_weight = 0;
  FlowNode& changed = nodes_[draws[draw].node];
  note(draws[draw].node);
  changed.value = value;
  const auto leave = [&](Outcome outcome) {
    for (; waits_ > 0; --waits_) nodes_[waiting_[waits_ - 1]].waits = false;
    if (outcome == Outcome::Elsewhere) undo();
    return outcome;
  };
  if (changed.pinned && !planted(Mistake::PinForgotten)) return leave(Outcome::Elsewhere);
  call_users(changed);
  while (waits_ > 0) {
    const NodeIndex i = first_waiting();
    FlowNode& n = nodes_[i];
    n.waits = false;
    worked_out_ += n.op == FlowOp::Build ? n.number : 1;
    if (n.op == FlowOp::Distribution) {
      const Value& distribution = now(arguments_[n.first_argument]);
      if (!distribution.is(Tag::Dist) || !distributions.changed(n.number, distribution))
        return leave(Outcome::Elsewhere);
      continue;
    }
    if (n.op == FlowOp::Rows) {
      worked_out_ += rows_[n.number].cost();
      const Outcome outcome = work_out_rows(n.number, log_weight);
      if (outcome != Outcome::Done) return leave(outcome);
      continue;
    }
    Value result;
    if (!work_out(cx, n, &result)) return leave(Outcome::Elsewhere);
    if (identical(result, n.value)) continue;
    if (n.pinned && !planted(Mistake::PinForgotten)) return leave(Outcome::Elsewhere);
    note(i);
    if (n.weighs) {
      if (result.d == kLogZero) {
        n.value = result;
        return leave(Outcome::Impossible);
      }
      if (!(result.d < INFINITY)) return leave(Outcome::Elsewhere);
      *log_weight += result.d - n.value.d;
    }
    move_fresh(n.value, result);
    call_users(n);
  }
  return Outcome::Done;
}

void Dataflow::undo() {
  for (const Changed& c : changes()) nodes_[c.node].value = c.before;
  if (!planted(Mistake::RowsNotPutBack))
    for (const std::uint32_t i : changed_rows_) rows_[i].put_back();
  keep();
}

double Dataflow::log_likelihood() const {
  double sum = log_weight_before;
  for (std::size_t i = 0; i < scores.size(); ++i) sum += score(i);
  return sum;
}

std::size_t Dataflow::bytes() const {
  std::size_t of_rows = place_of_score_.capacity() * sizeof(Place);
  for (const FlowRows& rows : rows_) of_rows += rows.bytes();
  return of_rows + nodes_.capacity() * sizeof(FlowNode) + arguments_.capacity() * sizeof(Value) +
         users_.capacity() * sizeof(NodeIndex) + journal_.capacity() * sizeof(Changed) +
         waiting_.capacity() * sizeof(NodeIndex) + draws.capacity() * sizeof(FlowDraw) +
         scores.capacity() * sizeof(FlowScore);
}

void Dataflow::visit(Evacuator& e) {
  for (FlowNode& n : nodes_) e.visit(n.value);
  for (Value& v : arguments_) e.visit(v);
  for (FlowDraw& d : draws) {
    e.visit(d.id);
    e.visit(d.distribution);
  }
  for (std::size_t i = 0; i < changes_; ++i) e.visit(journal_[i].before);
  gathered_.clear();
  e.visit(result);
  end.visit(e);
}

}  // namespace chancel
