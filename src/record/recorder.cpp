// SPDX-License-Identifier: Apache-2.0
// See recorder.hpp.
#include "record/recorder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "math/log_space.hpp"
#include "random/stream.hpp"
#include "record/law_support.hpp"
#include "record/piling.hpp"
#include "record/planted.hpp"
#include "record/substitute.hpp"
#include "value/collections.hpp"
#include "value/equality.hpp"
#include "value/number.hpp"
#include "value/observed_value.hpp"

namespace chancel {

namespace {

int order_of(double a, double b) { return a < b ? -1 : a > b ? 1 : a == b ? 0 : 2; }

// A node, or a distribution with nodes: another kind of thing than what the program has there.
bool is_stand_in(const Value& v) {
  return v.is(Tag::Node) || (v.is(Tag::Dist) && node_dist_type(v.as<Dist>()));
}

bool same_bits(const Value& v, double number) {
  return v.is(Tag::Double) &&
         std::bit_cast<std::uint64_t>(v.d) == std::bit_cast<std::uint64_t>(number);
}

}  // namespace

bool holds(const Guard& guard, double a, double b) {
  switch (guard.kind) {
    case Guard::Kind::Order:
      if (planted(RecordMistake::GuardFlipped)) return order_of(b, a) == guard.order;
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

Diagnostic estimated_score(Span place) {
  return {Code::R014,
          Severity::Error,
          place,
          "observe: this score is a random estimate, which cannot be recorded",
          "use smc, pimh, pgibbs or importance",
          {}};
}

void Recorded::visit(Evacuator& e) {
  for (RecordedDraw& d : draws) {
    e.visit(d.id);
    e.visit(d.value);
    e.visit(d.law);
  }
  for (WideLaw& law : graph.wide()) {
    for (Value& arg : law.args) e.visit(arg);
    e.visit(law.x);
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
  const std::size_t size = graph_.size() + to_.guards.size();
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
        if (i >= pinned_.size()) pinned_.resize(graph_.size(), false);
        if (!pinned_[i]) {
          pinned_[i] = true;
          if (to_.pinned_by.empty()) to_.pinned_by = pinning_ ? pinning_->name : "control";
          const double now = graph_.value(i);
          if (planted(RecordMistake::PinNotGuarded)) return now;
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
  const NodeIndex na = node(a), nb = node(b);
  const int now = order_of(graph_.value(na), graph_.value(nb));
  if (!planted(RecordMistake::OrderNotGuarded))
    to_.guards.push_back({Guard::Kind::Order, na, nb, now, 0});
  return now;
}

bool Recorder::same(NativeContext& cx, const Value& a, const Value& b) {
  const auto is_double = [](const Value& v) { return v.is(Tag::Node) || v.is(Tag::Double); };
  if (!a.is(Tag::Node) && !b.is(Tag::Node)) return equal(pin(cx, a), pin(cx, b));
  if (!is_double(a) || !is_double(b)) return false;
  const NodeIndex na = node(a), nb = node(b);
  const bool now = graph_.value(na) == graph_.value(nb);
  if (!planted(RecordMistake::EqualNotGuarded))
    to_.guards.push_back({Guard::Kind::Same, na, nb, now ? 1 : 0, 0});
  return now;
}

Value Recorder::call_pinned(NativeContext& cx, const NativeDef* native, const Value* args,
                            std::uint32_t count) {
  pinning_ = native;
  std::vector<Value> numbers(args, args + count);
  for (Value& v : numbers) {
    v = pin(cx, v);
    if (!cx.ok()) return Value::nil();
  }
  pinning_ = nullptr;
  cx.callee = native;
  return native->function(cx, numbers.data(), count);
}

Value Recorder::checked(NativeContext& cx, const NativeDef* native, const Value* args,
                        std::uint32_t count, const Value& result) {
  std::vector<Value> numbers(args, args + count);
  for (Value& v : numbers) v = present(cx, v);
  if (!cx.ok()) return Value::nil();
  cx.callee = native;
  const Value itself = native->function(cx, numbers.data(), count);
  if (!cx.ok()) return itself;
  const double ours =
      result.is(Tag::Node) ? graph_.value(static_cast<NodeIndex>(result.bits)) : result.d;
  if (CHANCEL_LIKELY(same_bits(itself, ours) ||
                     (itself.is(Tag::Double) && std::isnan(itself.d) && std::isnan(ours))))
    return result;
  CHANCEL_DEBUG_ASSERT(false, native->name);
  return call_pinned(cx, native, args, count);
}

Value Recorder::fold(NativeContext& cx, const NativeDef* native, GraphOp op, const Value* args,
                     std::uint32_t count) {
  Value result = args[0];
  for (std::uint32_t i = 1; i < count; ++i) {
    if (!result.is(Tag::Node) && !args[i].is(Tag::Node)) {
      const Value two[2] = {result, args[i]};
      cx.callee = native;
      result = native->function(cx, two, 2);
      if (!cx.ok()) return Value::nil();
      continue;
    }
    result = value_of(graph_.apply(op, {node(result), node(args[i])}));
  }
  return result;
}

Value Recorder::combine(NativeContext& cx, char op, const Value& a, const Value& b) {
  account(cx);
  const GraphOp function = op == '+'   ? GraphOp::Add
                           : op == '-' ? GraphOp::Subtract
                           : op == '*' ? GraphOp::Multiply
                                       : GraphOp::Divide;
  return value_of(graph_.apply(function, {node(a), node(b)}));
}

// Mean, variance and standard deviation of a sequence of numbers, in the library's order.
Value Recorder::moment(NativeContext& cx, const NativeDef* native, Recordable::Kind kind,
                       const Value* args, std::uint32_t count) {
  using Kind = Recordable::Kind;
  std::vector<NodeIndex> x;
  bool plain = count == 1 && is_sequential(args[0]);
  if (plain) {
    for (SeqCursor it(cx, args[0], native->name, 0); it.next();) {
      plain = plain && is_number(it.item());
      if (plain) x.push_back(node(it.item()));
    }
    if (!cx.ok()) return Value::nil();
  }
  if (!plain || x.empty()) return call_pinned(cx, native, args, count);
  const NodeIndex zero = graph_.constant(0), n = graph_.constant(static_cast<double>(x.size()));
  NodeIndex mean = zero;
  for (const NodeIndex i : x) mean = graph_.apply(GraphOp::Add, {mean, i});
  NodeIndex result = mean = graph_.apply(GraphOp::Divide, {mean, n});
  if (kind != Kind::Mean) {
    NodeIndex squares = zero;
    for (const NodeIndex i : x) {
      const NodeIndex d = graph_.apply(GraphOp::Subtract, {i, mean});
      squares = graph_.apply(GraphOp::Add, {squares, graph_.apply(GraphOp::Multiply, {d, d})});
    }
    result = graph_.apply(GraphOp::Divide, {squares, n});
    if (kind == Kind::Deviation) result = graph_.apply(GraphOp::Sqrt, {result});
  }
  return checked(cx, native, args, count, value_of(result));
}

Value Recorder::compare(NativeContext& cx, const NativeDef* native, Recordable::Kind kind,
                        const Value* args, std::uint32_t count) {
  using Kind = Recordable::Kind;
  bool yes = true;
  for (std::uint32_t i = 0; i + 1 < count && yes; ++i) {
    const int now = order(cx, native->name, args[i], args[i + 1]);
    if (!cx.ok()) return Value::nil();
    yes = kind == Kind::Less             ? now == -1
          : kind == Kind::LessOrEqual    ? now == -1 || now == 0
          : kind == Kind::Greater        ? now == 1
          : kind == Kind::GreaterOrEqual ? now == 1 || now == 0
                                         : now == 0;
  }
  return Value::boolean(yes);
}

// As the library's: the argument itself, on a tie the later one. Not a number needs no care: the
// order of it is one of its own, and guarded.
Value Recorder::extreme(NativeContext& cx, const NativeDef* native, int wanted, const Value* args,
                        std::uint32_t count) {
  Value best = args[0];
  for (std::uint32_t i = 1; i < count; ++i) {
    const int now = order(cx, native->name, best, args[i]);
    if (!cx.ok()) return Value::nil();
    if (now == 2) return call_pinned(cx, native, args, count);
    if (now != wanted) best = args[i];
  }
  return best;
}

Value Recorder::log_sum_exp_of(NativeContext& cx, const NativeDef* native, Recordable::Kind kind,
                               const Value* args, std::uint32_t count) {
  std::vector<NodeIndex> terms;
  bool numbers = true;
  if (count == 1 && !is_number(args[0])) {
    for (SeqCursor it(cx, args[0], native->name, 0); it.next();) {
      numbers = numbers && is_number(it.item());
      if (numbers) terms.push_back(node(it.item()));
    }
    if (!cx.ok()) return Value::nil();
  } else {
    for (std::uint32_t i = 0; i < count; ++i) {
      numbers = numbers && is_number(args[i]);
      if (numbers) terms.push_back(node(args[i]));
    }
  }
  if (!numbers || terms.empty()) return call_pinned(cx, native, args, count);
  NodeIndex result = graph_.apply(GraphOp::LogSumExp, terms);
  if (kind == Recordable::Kind::LogMeanExp) {
    const double count_of_terms = static_cast<double>(terms.size());
    result = graph_.apply(GraphOp::Subtract, {result, graph_.constant(std::log(count_of_terms))});
  }
  return checked(cx, native, args, count, value_of(result));
}

Value Recorder::move(NativeContext& cx, const NativeDef* native, Moves rule, const Value* args,
                     std::uint32_t count) {
  std::vector<Value> given(args, args + count);
  const auto pin_at = [&](std::uint32_t i) {
    pinning_ = native;
    given[i] = pin(cx, given[i]);
    pinning_ = nullptr;
  };
  switch (rule) {
    case Moves::Everything:
      break;
    case Moves::Numbers:
      for (std::uint32_t i = 0; i < count; ++i)
        if (is_stand_in(given[i])) pin_at(i);
      break;
    case Moves::Maps:
      for (std::uint32_t i = 0; i < count; ++i)
        if (!is_map(given[i])) pin_at(i);
      break;
    case Moves::IntoCollection:
      if (count > 0 && (is_map(args[0]) || is_set(args[0]))) {
        // Entries are [key value]; it is the keys that must not hold nodes.
        bool plain = is_map(args[0]);
        const auto look = [&](const Value& entry) {
          plain = plain && entry.is(Tag::Vector) && entry.as<Vector>()->count == 2 &&
                  !holds_nodes(cx, vector_nth(entry.as<Vector>(), 0));
        };
        for (std::uint32_t i = 1; i < count && plain; ++i) {
          if (given[i].is(Tag::Vector) && native->max_args < 0) {
            look(given[i]);  // conj
          } else {
            for (SeqCursor it(cx, given[i], native->name, static_cast<int>(i)); it.next();)
              look(it.item());
            if (!cx.ok()) return Value::nil();
          }
        }
        for (std::uint32_t i = 1; i < count && !plain; ++i) pin_at(i);
      }
      break;
    case Moves::KeysAndValues:
      if (is_stand_in(given[0])) pin_at(0);
      for (std::uint32_t i = 1; i < count; i += 2) pin_at(i);
      break;
    case Moves::Entries:
      for (std::uint32_t i = 0; i < count; i += 2) pin_at(i);
      break;
    case Moves::First:
      pin_at(0);
      break;
    case Moves::AllButFirst:
      if (is_stand_in(given[0])) pin_at(0);
      for (std::uint32_t i = 1; i < count; ++i) pin_at(i);
      break;
    case Moves::AllButLast:
      for (std::uint32_t i = 0; i + 1 < count; ++i) pin_at(i);
      break;
  }
  if (!cx.ok()) return Value::nil();
  cx.callee = native;
  return native->function(cx, given.data(), count);
}

// A failure may be caught, so that it is the program's control that depends on the numbers; and its
// message should show them.
Value Recorder::call(NativeContext& cx, const NativeDef* native, const Value* args,
                     std::uint32_t count) {
  account(cx);
  const Value result = record_call(cx, native, args, count);
  if (CHANCEL_LIKELY(cx.status != NativeContext::Status::Failed)) return result;
  cx.status = NativeContext::Status::Ok;
  return call_pinned(cx, native, args, count);
}

Value Recorder::record_call(NativeContext& cx, const NativeDef* native, const Value* args,
                            std::uint32_t count) {
  using Kind = Recordable::Kind;
  bool nodes = false, objects = false, numbers = true;
  for (std::uint32_t i = 0; i < count; ++i) {
    nodes = nodes || args[i].is(Tag::Node);
    objects = objects || args[i].is_object();
    numbers = numbers && is_number(args[i]);
  }
  if (!nodes && !objects) {
    cx.callee = native;
    return native->function(cx, args, count);
  }
  if (native->dist) return construct(cx, native->dist, args, count);
  const Recordable how = recordable(*native);
  switch (how.kind) {
    case Kind::Moves:
      return move(cx, native, how.moves, args, count);
    case Kind::LogSumExp:
    case Kind::LogMeanExp:
      if (std::any_of(args, args + count, [&](const Value& v) { return holds_nodes(cx, v); }))
        return log_sum_exp_of(cx, native, how.kind, args, count);
      break;
    case Kind::Array:
      if (std::any_of(args, args + count, [&](const Value& v) { return holds_nodes(cx, v); }))
        return array_function(cx, native, how.op, args, count);
      break;
    case Kind::Mean:
    case Kind::Variance:
    case Kind::Deviation:
      if (count > 0 && holds_nodes(cx, args[0])) return moment(cx, native, how.kind, args, count);
      break;
    case Kind::Score:
      if (args[0].is(Tag::Dist)) {
        NodeIndex out;
        if (!log_prob(cx, args[0], args[1], true, &out)) return Value::nil();
        return value_of(out);
      }
      if (args[0].is(Tag::Record)) {  // its method is called, with nodes
        cx.callee = native;
        return native->function(cx, args, count);
      }
      break;
    case Kind::Type:
      if (std::any_of(args, args + count, is_stand_in)) {
        std::vector<Value> given(args, args + count);
        for (Value& v : given)
          if (is_stand_in(v)) v = present(cx, v);
        if (!cx.ok()) return Value::nil();
        cx.callee = native;
        return native->function(cx, given.data(), count);
      }
      cx.callee = native;
      return native->function(cx, args, count);
    default:
      break;
  }
  if (!nodes || !numbers) {
    if ((how.kind == Kind::Equal || how.kind == Kind::NotEqual) && nodes && count == 2)
      return Value::boolean(how.kind == Kind::NotEqual);  // a number and something else
    return call_pinned(cx, native, args, count);
  }
  switch (how.kind) {
    case Kind::Numeric:
      return checked(cx, native, args, count,
                     value_of(count == 1 ? graph_.apply(how.op, {node(args[0])})
                                         : graph_.apply(how.op, {node(args[0]), node(args[1])})));
    case Kind::Sum:
      return checked(cx, native, args, count, fold(cx, native, GraphOp::Add, args, count));
    case Kind::Product:
      return checked(cx, native, args, count, fold(cx, native, GraphOp::Multiply, args, count));
    case Kind::Difference:
      return checked(cx, native, args, count,
                     count == 1 ? value_of(graph_.apply(GraphOp::Negate, {node(args[0])}))
                                : fold(cx, native, GraphOp::Subtract, args, count));
    case Kind::Quotient: {
      const Value two[2] = {Value::real(1), args[0]};
      return checked(cx, native, args, count,
                     count == 1 ? fold(cx, native, GraphOp::Divide, two, 2)
                                : fold(cx, native, GraphOp::Divide, args, count));
    }
    case Kind::Increment:
    case Kind::Decrement:
      return checked(
          cx, native, args, count,
          value_of(graph_.apply(how.kind == Kind::Increment ? GraphOp::Add : GraphOp::Subtract,
                                {node(args[0]), graph_.constant(1)})));
    case Kind::Itself:
      return args[0];
    case Kind::Less:
    case Kind::LessOrEqual:
    case Kind::Greater:
    case Kind::GreaterOrEqual:
    case Kind::SameNumber:
      return compare(cx, native, how.kind, args, count);
    case Kind::Equal:
    case Kind::NotEqual: {
      if (count != 2) return call_pinned(cx, native, args, count);
      return Value::boolean(same(cx, args[0], args[1]) == (how.kind == Kind::Equal));
    }
    case Kind::Zero:
      return Value::boolean(order(cx, native->name, args[0], Value::real(0)) == 0);
    case Kind::Positive:
      return Value::boolean(order(cx, native->name, args[0], Value::real(0)) == 1);
    case Kind::Negative:
      return Value::boolean(order(cx, native->name, args[0], Value::real(0)) == -1);
    case Kind::Largest:
      return extreme(cx, native, 1, args, count);
    case Kind::Smallest:
      return extreme(cx, native, -1, args, count);
    default:
      return call_pinned(cx, native, args, count);
  }
}

Value Recorder::construct(NativeContext& cx, const DistType* type, const Value* args,
                          std::uint32_t count) {
  bool nodes = false;
  for (std::uint32_t i = 0; i < count && !nodes; ++i) nodes = holds_nodes(cx, args[i]);
  if (!nodes) return type->construct(cx, args, count);
  const bool known = (type->density && count == type->parameter_count) || type->wide_density;
  std::vector<Value> numbers(args, args + count);
  for (Value& v : numbers) v = known ? present(cx, v) : pin(cx, v);
  if (!cx.ok()) return Value::nil();
  const Value plain = type->construct(cx, numbers.data(), count);  // or what is wrong with it
  if (cx.status == NativeContext::Status::Failed) {                // which the program may catch
    cx.status = NativeContext::Status::Ok;
    for (std::uint32_t i = 0; i < count; ++i) numbers[i] = pin(cx, args[i]);
    return cx.ok() ? type->construct(cx, numbers.data(), count) : Value::nil();
  }
  if (!cx.ok() || !known) return plain;
  const Value made = make_node_dist(*cx.arena, type, args, count);
  laws_.push_back(made);
  return made;
}

bool Recorder::wide_log_prob(const DistType* type, const Value* args, std::uint32_t count,
                             const Value& x, double present, NodeIndex* out) {
  std::vector<Value> numbers;
  if (!type->wide_density->parameters(args, count, &numbers) ||
      !type->wide_density->numbers(x, &numbers))
    return false;
  WideLaw law{type, {args, args + count}, x, {}, static_cast<std::uint32_t>(numbers.size())};
  std::vector<NodeIndex> operands;
  for (std::uint32_t i = 0; i < numbers.size(); ++i) {
    if (!numbers[i].is(Tag::Node)) continue;
    law.places.push_back(i);
    operands.push_back(static_cast<NodeIndex>(numbers[i].bits));
  }
  *out = graph_.log_prob(std::move(law), operands, present);
  return true;
}

bool Recorder::log_prob(NativeContext& cx, const Value& dist, const Value& x, bool observed,
                        NodeIndex* out) {
  const auto* d = dist.as<Dist>();
  const DistType* type = node_dist_type(d);
  const bool law_moves = type != nullptr;
  if (law_moves) scored_.insert(d);
  const bool x_moves = holds_nodes(cx, x);
  const Value plain = law_moves ? present(cx, dist) : dist;
  if (!cx.ok()) return false;
  const auto* p = plain.as<Dist>();
  type = p->type;
  if (!type->log_prob) {
    cx.fail(Code::R011, "observe: this distribution can be sampled but not observed", 0);
    return false;
  }
  const auto number_of_parameters = type->parameter_count;
  const auto score_now = [&](const Value& at) {
    double now = type->log_prob(cx, p, at);
    if (now == kLogZero && cx.ok() && observed) now = score_equivalent(cx, p, at);
    return now;
  };
  if (!law_moves && !x_moves) {
    Value given = x;
    if (!ensure_realised(cx, given)) return false;
    *out = graph_.constant(score_now(given));
    return cx.ok();
  }
  if (type->density) {
    double number = 0;
    NodeIndex at;
    if (x.is(Tag::Node)) {
      at = static_cast<NodeIndex>(x.bits);
      // A node is a double: laws of integers and truth values have their own idea of it.
      if (!type->density->read(Value::real(graph_.value(at)), &number) || type->discrete) {
        const Value fixed = pin(cx, x);
        return log_prob(cx, dist, fixed, observed, out);
      }
    } else if (type->density->read(x, &number)) {
      at = graph_.constant(number);
    } else {
      const auto other = observed ? equivalent_value(p, x) : std::nullopt;
      if (!other || !type->density->read(*other, &number)) {
        *out = graph_.constant(kLogZero);
        return true;
      }
      at = graph_.constant(number);
    }
    std::vector<NodeIndex> parameters;
    const Value* args = d->values;
    for (std::uint32_t i = 0; i < number_of_parameters; ++i) parameters.push_back(node(args[i]));
    *out = graph_.log_prob(type->density, parameters, at);
    return true;
  }
  const Value x_now = present(cx, x);
  if (!cx.ok()) return false;
  const double now = score_now(x_now);
  if (!cx.ok()) return false;
  if (observed && !x_moves && now > kLogZero && type->log_prob(cx, p, x_now) == kLogZero)
    return log_prob(cx, dist, *equivalent_value(p, x_now), observed, out);
  if (type->wide_density && type->wide_density->weights != WeightsAre::None &&
      weights_log_prob(type, d->values, number_of_parameters, x, now, out))
    return true;
  if (type->wide_density && wide_log_prob(type, d->values, number_of_parameters, x, now, out))
    return true;
  const Value fixed_law = pin(cx, dist);
  const Value fixed = pin(cx, x);
  if (!cx.ok()) return false;
  return log_prob(cx, fixed_law, fixed, observed, out);
}

void Recorder::cannot_score(const char* why) {
  if (to_.unscored != Recorded::kNone) return;
  to_.unscored = to_.draws.size();
  to_.unscored_why = why;
}

void Recorder::add_observe(NodeIndex log_prob, std::uint32_t site) {
  to_.observes.push_back(log_prob);
  to_.sites.push_back(site);
  to_.draws_observed = to_.draws.size();
  to_.guards_observed = to_.guards.size();
}

bool Recorder::observe(NativeContext& cx, const Value& dist, const Value& x, std::uint32_t site,
                       double* log_prob_now) {
  account(cx);
  NodeIndex at;
  if (dist.as<Dist>()->type->estimated) {
    refuse(cx, site, estimated_score({}));
    return false;
  }
  if (!log_prob(cx, dist, x, true, &at)) return false;
  *log_prob_now = graph_.value(at);
  if (!(*log_prob_now < INFINITY)) return pin_failure(cx, dist, x);
  add_observe(at, site);
  return true;
}

bool Recorder::score(NativeContext& cx, const Value& log_prob, std::uint32_t site,
                     double* present) {
  const NodeIndex at = node(log_prob);
  *present = graph_.value(at);
  if (!(*present < INFINITY)) return pin_failure(cx, log_prob, Value::nil());
  add_observe(at, site);
  return true;
}

// The machine will raise a failure, which the program may catch.
bool Recorder::pin_failure(NativeContext& cx, const Value& a, const Value& b) {
  if (planted(RecordMistake::FailureNotPinned)) return true;
  pin(cx, a);
  if (cx.ok()) pin(cx, b);
  return cx.ok();
}

Value Recorder::refuse(NativeContext& cx, std::uint32_t site, const Diagnostic& why) {
  cx.fail(why.code, why.message, 0, why.hint);
  refusal_ = {site, cx.failure};
  return Value::nil();
}

bool Recorder::finish(NativeContext& cx) {
  // Its parameters are right as long as its density is a number, at any value. They come before the
  // guards that only outputs depend on.
  std::vector<Guard> guards;
  std::set<std::vector<std::uint64_t>> seen;  // the same parameters need one guard
  for (const Value& made : laws_) {
    if (scored_.contains(made.o)) continue;
    const auto* law = made.as<Dist>();
    const DistType* type = node_dist_type(law);
    std::vector<std::uint64_t> key{std::bit_cast<std::uint64_t>(type)};
    for (std::uint32_t i = 0; i < law->value_count; ++i)
      key.insert(key.end(), {static_cast<std::uint64_t>(law->values[i].tag), law->values[i].bits});
    if (!seen.insert(std::move(key)).second) continue;
    std::vector<NodeIndex> operands;
    NodeIndex at;
    if (type->density) {
      for (std::uint32_t i = 0; i < type->parameter_count; ++i)
        operands.push_back(node(law->values[i]));
      at = graph_.log_prob(type->density, operands, graph_.constant(1));
    } else {
      for (std::uint32_t i = 0; i < law->value_count; ++i)
        substitute(cx, law->values[i], [&](NodeIndex n) {
          operands.push_back(n);
          return graph_.value(n);
        });
      if (!cx.ok()) return false;
      at = graph_.log_prob(WideLaw{type, {law->values, law->values + law->value_count}, {}, {}, 0},
                           operands, 0);
    }
    if (!planted(RecordMistake::LawNotGuarded))
      guards.push_back({Guard::Kind::Number, at, at, 0, 0});
  }
  to_.guards.insert(to_.guards.begin(), guards.begin(), guards.end());
  to_.guards_observed += guards.size();
  for (RecordedDraw& d : to_.draws) d.guards_before += guards.size();
  return true;
}

Value Recorder::sample(NativeContext& cx, const Value& dist, std::uint32_t site, const Value& id,
                       const Value* drawn) {
  account(cx);
  if (awaits_score_)
    return refuse(cx, site,
                  {Code::R014,
                   Severity::Error,
                   {},
                   "observe* of a distribution that is sampled must not draw",
                   "",
                   {}});
  DrawSource::Question question{site, pin(cx, id), dist, 0, drawn};
  RecordedDraw draw;
  draw.site = site;
  draw.guards_before = to_.guards.size();
  draw.id = question.id;
  question.dist = present(cx, dist);
  if (!cx.ok()) return Value::nil();
  const Transform t = transform_for(graph_, dist, question.dist);
  // An infinite bound is none, and the transform another one.
  for (const NodeIndex bound : {t.lower, t.upper})
    if (!graph_.is_constant(bound) && !std::isfinite(graph_.value(bound)))
      pin(cx, Value::node(bound));
  guard_piling(cx, dist, question.dist);
  if (!cx.ok()) return Value::nil();
  question.inputs = t.inputs();
  std::vector<double> coordinates(question.inputs);
  Value value = Value::nil();
  const auto answer = source_.answer(cx, question, coordinates.data(), &value);
  if (answer == DrawSource::Answer::Failed) return Value::nil();
  if (answer == DrawSource::Answer::Elsewhere) {
    elsewhere_ = true;
    return cx.fail(Code::R014, "the program has other draws at these values", 0);
  }
  if (t.kind == TransformKind::None || answer == DrawSource::Answer::Held) {
    // Every execution makes its functions anew: one of another execution fits no law of this one.
    if (value.is(Tag::Closure) || value.is(Tag::Memo))
      cannot_score("sample: a draw that is a function cannot be held while others move");
    draw.value = value;
  } else {
    if (answer == DrawSource::Answer::Value) {
      std::vector<Value> items = {value};
      const Dist* law = support_law(dist, question.dist)->present;
      if (const WideDensity* wide = law->type->wide_density) {
        items.clear();
        wide->numbers(value, &items);
      }
      std::vector<double> numbers;
      for (const Value& item : items) numbers.push_back(to_double(item));
      unconstrain(graph_, t, numbers, coordinates.data());
    }
    draw.first_input = static_cast<std::uint32_t>(graph_.inputs().size());
    draw.inputs = t.inputs();
    draw.kind = t.kind;
    std::vector<NodeIndex> inputs;
    for (const double q : coordinates) inputs.push_back(graph_.input(q));
    const std::vector<NodeIndex> numbers = constrain(graph_, t, inputs, to_.jacobians);
    draw.value = value_of_nodes(*cx.arena, graph_, t, numbers);
  }
  if (!is_scored(question.dist)) {
    if (holds_nodes(cx, dist))
      cannot_score(
          "sample: this distribution has no density that can be recorded, and depends on draws "
          "that move");
    draw.law = question.dist;
    draw.log_prob = graph_.constant(0);  // the same for all values of the others
  } else if (dist.is(Tag::Dist)) {
    const Dist* law = question.dist.as<Dist>();
    if (law->type->fit && draw.inputs == 0 && !score_part(cx, dist, law, &draw))
      return Value::nil();
    if (draw.part == kUsualPart && !log_prob(cx, dist, draw.value, false, &draw.log_prob))
      return Value::nil();
  } else {
    awaits_score_ = true;
    scoring_from_ = to_.guards.size();
  }
  to_.draws.push_back(draw);
  return draw.value;
}

void Recorder::guard_piling(NativeContext& cx, const Value& dist, const Value& present) {
  for (const auto& [given, now] : support_laws(dist, present)) {
    if (!may_pile_up(*now->type)) continue;
    std::vector<std::uint64_t> key{std::bit_cast<std::uint64_t>(now->type)};
    bool moves = false;
    for (std::uint32_t i = 0; i < now->type->parameter_count; ++i) {
      key.insert(key.end(),
                 {static_cast<std::uint64_t>(given->values[i].tag), given->values[i].bits});
      moves = moves || given->values[i].is(Tag::Node);
    }
    if (!moves || !guarded_.insert(std::move(key)).second) continue;
    const auto box = piling_box(cx, given, now);
    for (std::uint32_t i = 0; !box && i < now->type->parameter_count; ++i)
      pin(cx, given->values[i]);
    for (const ParameterRange& range : box.value_or(std::vector<ParameterRange>{})) {
      const NodeIndex at = node(given->values[range.parameter]);
      to_.guards.push_back({Guard::Kind::Order, at, graph_.constant(range.lower), 1, 0});
      to_.guards.push_back({Guard::Kind::Order, at, graph_.constant(range.upper), -1, 0});
    }
  }
}

// Where the value has mass, as a point to which draws are clipped, its density says nothing.
bool Recorder::score_part(NativeContext& cx, const Value& dist, const Dist* present,
                          RecordedDraw* draw) {
  const Fit fit = present->type->fit(cx, present, draw->value);
  draw->part = fit.part;
  if (fit.part == kUsualPart || !cx.ok()) return cx.ok();
  draw->log_prob = graph_.constant(fit.log_prob);
  pin(cx, dist);
  return cx.ok();
}

// Which part of its law a value belongs to is not said by a program; but it is the same one as long
// as its observe* takes the same way.
void Recorder::draw_score(const Value& log_prob) {
  awaits_score_ = false;
  RecordedDraw& draw = to_.draws.back();
  for (std::size_t i = scoring_from_; i < to_.guards.size(); ++i) {
    const Guard& g = to_.guards[i];
    if (g.kind == Guard::Kind::Order || g.kind == Guard::Kind::Same)
      draw.part = mix64(draw.part ^ (4 * static_cast<std::uint64_t>(g.kind) +
                                     static_cast<std::uint64_t>(g.order + 1) + 1));
  }
  if (!log_prob.is_nil()) draw.log_prob = node(log_prob);
}

}  // namespace chancel
