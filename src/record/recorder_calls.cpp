// SPDX-License-Identifier: Apache-2.0
// Functions of the library that meet draws, as nodes (recordable.hpp says how), or with their arguments
// pinned.
#include <algorithm>
#include <bit>
#include <cmath>

#include "math/elementary.hpp"
#include "math/log_space.hpp"
#include "record/recorder.hpp"
#include "value/collections.hpp"
#include "value/number.hpp"

namespace chancel {

namespace {

bool same_bits(const Value& v, double number) {
  return v.is(Tag::Double) &&
         std::bit_cast<std::uint64_t>(v.d) == std::bit_cast<std::uint64_t>(number);
}

}  // namespace

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
    const std::size_t guards = to_.guards.size();
    const int now = order(cx, native->name, best, args[i]);
    if (!cx.ok()) return Value::nil();
    if (to_.guards.size() > guards) to_.guards.back().may_jump = false;  // the larger is continuous
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
    result = graph_.apply(GraphOp::Subtract, {result, graph_.constant(math::log(count_of_terms))});
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
        if (stands_in(given[i])) pin_at(i);
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
      if (stands_in(given[0])) pin_at(0);
      for (std::uint32_t i = 1; i < count; i += 2) pin_at(i);
      break;
    case Moves::Entries:
      for (std::uint32_t i = 0; i < count; i += 2) pin_at(i);
      break;
    case Moves::First:
      pin_at(0);
      break;
    case Moves::AllButFirst:
      if (stands_in(given[0])) pin_at(0);
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

// What is looked up is a key, or the collection it is in.
Value Recorder::call_data(NativeContext& cx, CallData call, const Value& f, const Value* args,
                          std::uint32_t count) {
  std::vector<Value> given(args, args + count);
  if (count > 0 && ((!f.is(Tag::Keyword) && !f.is(Tag::Symbol)) || args[0].is(Tag::Dist)))
    given[0] = pin(cx, args[0]);
  return cx.ok() ? call(cx, f, given.data(), count) : Value::nil();
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
      if (std::any_of(args, args + count, stands_in)) {
        std::vector<Value> given(args, args + count);
        for (Value& v : given)
          if (stands_in(v)) v = present(cx, v);
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

}  // namespace chancel
