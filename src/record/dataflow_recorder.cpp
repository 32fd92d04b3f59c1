// SPDX-License-Identifier: Apache-2.0
// See dataflow_recorder.hpp.
#include "record/dataflow_recorder.hpp"

#include <algorithm>
#include <cmath>

#include "math/log_space.hpp"
#include "record/carried.hpp"
#include "record/substitute.hpp"
#include "value/collections.hpp"
#include "value/equality.hpp"
#include "value/metadata.hpp"
#include "value/number.hpp"

namespace chancel {

namespace {

constexpr int kDeep = 4;  // levels of a collection that are remembered as plain

Shortcut shortcut_for(const NativeDef* native) {
  const std::string_view name = native->name;
  return name == "+"     ? Shortcut::Add
         : name == "-"   ? Shortcut::Subtract
         : name == "*"   ? Shortcut::Multiply
         : name == "/"   ? Shortcut::Divide
         : name == "get" ? Shortcut::Get
                         : Shortcut::None;
}

}  // namespace

// Collections of constants may be large and are asked for often.
bool DataflowRecorder::plain(const Value& v, int depth) {
  if (!v.is_object()) return !v.is(Tag::Node);
  if (v.is(Tag::String)) return true;
  if (!v.is(Tag::Vector) && !v.is(Tag::Dist)) return false;
  if (plain_.contains(v.o)) return true;
  if (depth == 0) return false;
  bool yes = !has_meta(v);
  if (v.is(Tag::Vector))
    for (std::uint32_t i = 0; yes && i < v.as<Vector>()->count; ++i)
      yes = plain(vector_nth(v.as<Vector>(), i), depth - 1);
  else
    for (std::uint32_t i = 0; yes && i < v.as<Dist>()->value_count; ++i)
      yes = plain(v.as<Dist>()->values[i], depth - 1);
  if (yes) plain_.insert(v.o);
  return yes;
}

bool DataflowRecorder::has_nodes(NativeContext& cx, const Value& v) {
  return v.is(Tag::Node) || (v.is_object() && !plain(v, kDeep) && holds_nodes(cx, v));
}

Value DataflowRecorder::refuse(NativeContext& cx, const char* why) {
  (on_trial_ ? spoiled_ : refused_) = true;
  return cx.fail(Code::R014, why, 0);
}

bool DataflowRecorder::account_now(NativeContext& cx) {
  Heap& heap = cx.arena->heap();
  if (!to_.charge) to_.charge.emplace(heap);
  const std::size_t bytes = 2 * to_.bytes();  // who uses what is not known yet
  if (heap.used() + bytes > heap.limit() / 2 + to_.charge->bytes()) {
    refuse(cx, "a recording would take too much memory");
    return false;
  }
  to_.charge->set(bytes);
  account_at_ = to_.size() + std::max<std::size_t>(1000, to_.size() / 8);
  return true;
}

Value DataflowRecorder::build(NativeContext& cx, const Value& v) {
  std::vector<Value> parts{v};
  const Value now = substitute(cx, v, ValueOf([&](NodeIndex i) {
                                 parts.push_back(Value::node(i));
                                 return to_.node(i).value;
                               }));
  if (!cx.ok()) return v;
  const NodeIndex built = to_.add(FlowOp::Build, nullptr, 0, parts.data(),
                                  static_cast<std::uint32_t>(parts.size()), now);
  to_.node(built).number = static_cast<std::uint32_t>(count_parts(cx, v));
  return Value::node(built);
}

// What nodes are made of is there as a whole, so that their values can be looked at when no program
// runs, and without the world. One object gives one argument: NaN in the same vector is equal to
// itself. Functions are equal to themselves only, wherever they stand, and are not made again.
Value DataflowRecorder::argument(NativeContext& cx, const Value& v) {
  if (!v.is_object() || plain(v, kDeep)) return v;
  if (const auto made = made_.find(v.o); made != made_.end()) return made->second;
  Value whole = v;
  if (!ensure_realised(cx, whole)) {
    cx.status = NativeContext::Status::Ok;
    waits_ = true;
    return pin(cx, v);
  }
  Value made = whole;
  if (holds_nodes(cx, whole))
    made = holds_functions_of_nodes(cx, whole) ? pin(cx, whole) : build(cx, whole);
  if (cx.ok() && made_.emplace(v.o, made).second && on_trial_) on_trial_made_.push_back(v.o);
  return made;
}

bool DataflowRecorder::arguments(NativeContext& cx, const Value* args, std::uint32_t count) {
  if (!account(cx)) return false;
  arguments_.assign(args, args + count);
  now_.clear();
  waits_ = false;
  for (Value& v : arguments_) {
    v = argument(cx, v);
    if (!cx.ok()) return false;
    now_.push_back(to_.now(v));
  }
  return true;
}

void DataflowRecorder::pin_arguments(NativeContext& cx) {
  for (Value& v : arguments_) v = pin(cx, v);
}

Value DataflowRecorder::node_of(FlowOp op, const void* what, const Value& value,
                                std::uint8_t detail) {
  return Value::node(to_.add(op, what, detail, arguments_.data(),
                             static_cast<std::uint32_t>(arguments_.size()), value));
}

Value DataflowRecorder::pin(NativeContext& cx, const Value& v) {
  if (!has_nodes(cx, v)) return v;
  if (on_trial_) {
    spoiled_ = true;
    return present(cx, v);
  }
  const ValueOf value = [&](NodeIndex i) {
    to_.node(i).pinned = true;
    return to_.node(i).value;
  };
  return substitute(cx, v, value, &pinned_);
}

Value DataflowRecorder::present(NativeContext& cx, const Value& v) {
  return substitute(cx, v, ValueOf([&](NodeIndex i) { return to_.node(i).value; }));
}

Value DataflowRecorder::call_pinned(NativeContext& cx, const NativeDef* native, const Value* args,
                                    std::uint32_t count) {
  std::vector<Value> given(args, args + count);
  for (Value& v : given) {
    v = pin(cx, v);
    if (!cx.ok()) return Value::nil();
  }
  cx.callee = native;
  return native->function(cx, given.data(), count);
}

// A failure may be caught, so that the program's control depends on the values; and its message should
// show them. Methods of the program are called by the machine.
Value DataflowRecorder::call(NativeContext& cx, const NativeDef* native, const Value* args,
                             std::uint32_t count) {
  const auto as_it_is = [&] {
    cx.callee = native;
    return native->function(cx, args, count);
  };
  if (std::none_of(args, args + count, may_hold_nodes)) return as_it_is();
  if (carries(cx, *native, args, count, [&](const Value& v) { return has_nodes(cx, v); })) {
    const Value result = as_it_is();
    if (CHANCEL_LIKELY(cx.status != NativeContext::Status::Failed)) return result;
    cx.status = NativeContext::Status::Ok;
    return call_pinned(cx, native, args, count);
  }
  if (std::none_of(args, args + count, [&](const Value& v) { return has_nodes(cx, v); }))
    return as_it_is();
  if (!arguments(cx, args, count)) return Value::nil();
  if (std::string_view(native->name) == "identical?" &&
      std::any_of(now_.begin(), now_.end(), [](const Value& v) { return v.is_object(); }))
    return refuse(cx, "identical?: values that are computed again are other objects");
  if (waits_ || !is_pure(native, now_.data())) return call_pinned(cx, native, args, count);
  cx.callee = native;
  const Value result = native->function(cx, now_.data(), count);
  if (cx.ok())
    return node_of(FlowOp::Call, native, result,
                   static_cast<std::uint8_t>(count == 2 ? shortcut_for(native) : Shortcut::None));
  if (cx.status == NativeContext::Status::Failed || cx.status == NativeContext::Status::Delegate) {
    cx.status = NativeContext::Status::Ok;
    return call_pinned(cx, native, args, count);
  }
  return result;  // it needs more of a sequence, and is called again
}

// Functions that would ask for it get values (CHANCEL_ELEMENTS).
Value DataflowRecorder::combine(NativeContext& cx, char, const Value&, const Value&) {
  return refuse(cx, "this arithmetic cannot be recorded");
}

Value DataflowRecorder::construct(NativeContext& cx, const DistType* type, const Value* args,
                                  std::uint32_t count) {
  if (!arguments(cx, args, count)) return Value::nil();
  if (waits_) pin_arguments(cx);
  const bool nodes = std::any_of(arguments_.begin(), arguments_.end(),
                                 [](const Value& v) { return v.is(Tag::Node); });
  const Value result = type->construct(cx, now_.data(), count);
  if (!nodes) return result;
  if (cx.ok()) return node_of(FlowOp::Construct, type, result);
  if (cx.status == NativeContext::Status::Failed) pin_arguments(cx);
  return result;
}

Value DataflowRecorder::call_data(NativeContext& cx, CallData call, const Value& f,
                                  const Value* args, std::uint32_t count) {
  std::vector<Value> all{f};
  all.insert(all.end(), args, args + count);
  // A collection of nodes gives one of them away as it is, unless a node says which.
  const bool asks =
      f.is(Tag::Node) || (count > 0 && args[0].is(Tag::Node)) ||
      (count > 0 && !f.is(Tag::Keyword) && !f.is(Tag::Symbol) && has_nodes(cx, args[0]));
  if (!asks) return call(cx, f, args, count);
  if (!arguments(cx, all.data(), count + 1)) return Value::nil();
  if (waits_) pin_arguments(cx);
  const Value result = call(cx, now_[0], now_.data() + 1, count);
  if (cx.ok() && waits_) return result;
  if (cx.ok()) return node_of(FlowOp::CallData, reinterpret_cast<const void*>(call), result);
  if (cx.status == NativeContext::Status::Failed) pin_arguments(cx);
  return result;
}

bool DataflowRecorder::test(NativeContext&, Test test, const Value& node) {
  const bool yes = passes(test, to_.now(node));
  arguments_.assign(1, node);
  const Value result =
      node_of(FlowOp::Test, nullptr, Value::boolean(yes), static_cast<std::uint8_t>(test));
  to_.node(static_cast<NodeIndex>(result.bits)).pinned = true;
  return yes;
}

Value DataflowRecorder::tested(NativeContext&, Test what, bool opposite, const Value& node) {
  arguments_.assign(1, node);
  return node_of(FlowOp::Test, nullptr, Value::boolean(passes(what, to_.now(node)) != opposite),
                 static_cast<std::uint8_t>(static_cast<std::uint8_t>(what) |
                                           (opposite ? Dataflow::kOpposite : 0)));
}

// --- both ways of a branch ---

void DataflowRecorder::begin_trial() {
  on_trial_ = true;
  spoiled_ = false;
  trial_from_ = static_cast<NodeIndex>(to_.size());
  on_trial_made_.clear();
}

void DataflowRecorder::end_trial(bool forget) {
  on_trial_ = false;
  if (!forget) return;
  to_.forget_from(trial_from_);
  for (const Object* o : on_trial_made_) made_.erase(o);
}

bool DataflowRecorder::condition(NativeContext& cx, Asks asks, const Value& a, const Value& b,
                                 Condition* out) {
  out->asks = asks;
  if (asks == Asks::Truth) {
    out->now = to_.now(a).truthy();
    if (a.is(Tag::Node)) out->node = a;
    return true;
  }
  const bool nodes = has_nodes(cx, a) || has_nodes(cx, b);
  const Value both[2] = {a, b};
  if (!arguments(cx, both, 2) || waits_ || spoiled_) return false;
  if (asks == Asks::Equal) {
    out->now = equal(now_[0], now_[1]);
    if (nodes) out->node = node_of(FlowOp::Same, nullptr, Value::boolean(out->now));
    return true;
  }
  const char* const function = asks == Asks::Less ? "<" : "<=";
  const int order = number_order(cx, function, now_[0], now_[1]);
  if (!cx.ok()) return false;
  out->now = asks == Asks::Less ? order < 0 : order <= 0;
  if (nodes) out->node = node_of(FlowOp::Order, function, Value::integer(order));
  return true;
}

bool DataflowRecorder::compute(NativeContext& cx, const NativeDef* native, const Value* args,
                               std::uint32_t count, Value* out) {
  if ((native->flags & kPure) == 0 || (native->flags & kWorld) != 0) return false;
  *out = call(cx, native, args, count);
  return cx.ok() && !spoiled_;
}

bool DataflowRecorder::test_of(NativeContext& cx, Test what, bool opposite, const Value& v,
                               Value* out) {
  *out =
      v.is(Tag::Node) ? tested(cx, what, opposite, v) : Value::boolean(passes(what, v) != opposite);
  return true;
}

// Collections stay what they are, with nodes as elements: as the value of a node they would be made again as a whole
// whenever one of these changes.
bool DataflowRecorder::may_be_chosen(const Value& v) {
  const Value& now = to_.now(v);
  switch (now.tag) {
    case Tag::Nil:
    case Tag::Bool:
    case Tag::Int:
    case Tag::Double:
    case Tag::Char:
    case Tag::Keyword:
    case Tag::Symbol:
    case Tag::String:
    case Tag::Ratio:
    case Tag::BigInt:
      return true;
    case Tag::Dist:
      return v.is(Tag::Node) || plain(now, kDeep);
    default:
      return false;
  }
}

bool DataflowRecorder::choose(NativeContext&, const Condition& condition, const Value& if_so,
                              const Value& if_not, Value* out) {
  if (!may_be_chosen(if_so) || !may_be_chosen(if_not)) return false;
  arguments_ = {condition.node, if_so, if_not};
  *out = node_of(FlowOp::Select, nullptr, to_.now(condition.now ? if_so : if_not),
                 static_cast<std::uint8_t>(condition.asks));
  return true;
}

Value DataflowRecorder::distribution(NativeContext& cx, const Value& node) {
  return to_.now(node).is(Tag::Dist) ? node : pin(cx, node);
}

Value DataflowRecorder::callee(NativeContext& cx, const Value& node) {
  const Value& now = to_.now(node);
  const bool data = (is_map(now) && !now.is(Tag::Record)) || is_set(now) || now.is(Tag::Vector);
  return data ? node : pin(cx, node);  // some records are called
}

int DataflowRecorder::order(NativeContext& cx, const char* function, const Value& a,
                            const Value& b) {
  const Value both[2] = {a, b};
  if (!arguments(cx, both, 2)) return 2;
  const int now = number_order(cx, function, now_[0], now_[1]);
  if (!cx.ok()) {
    pin_arguments(cx);
    return 2;
  }
  const Value result = node_of(FlowOp::Order, function, Value::integer(now));
  to_.node(static_cast<NodeIndex>(result.bits)).pinned = true;
  return now;
}

bool DataflowRecorder::same(NativeContext& cx, const Value& a, const Value& b) {
  if (!has_nodes(cx, a) && !has_nodes(cx, b)) return equal(a, b);
  const Value both[2] = {a, b};
  if (!arguments(cx, both, 2)) return false;
  const bool now = equal(now_[0], now_[1]);
  const Value result = node_of(FlowOp::Same, nullptr, Value::boolean(now));
  to_.node(static_cast<NodeIndex>(result.bits)).pinned = true;
  return now;
}

RecordedSample DataflowRecorder::sample(NativeContext& cx, const Value& dist, std::uint32_t site,
                                        const Value& id, const Value* drawn) {
  if (!account(cx)) return Value::nil();
  // A draw whose distribution cannot be scored is drawn again when one before it changes.
  const std::size_t i = to_.draws.size();
  const Value& distribution_now = to_.now(dist);
  if (drawn || i == values_.size() || !distribution_now.is(Tag::Dist) ||
      !distribution_now.as<Dist>()->type->log_prob || distribution_now.as<Dist>()->type->estimated)
    return refuse(cx, "sample: this draw cannot be recorded");
  const NodeIndex node = to_.add(FlowOp::Draw, nullptr, 0, nullptr, 0, values_[i]);
  if (dist.is(Tag::Node)) {
    const NodeIndex distribution =
        to_.add(FlowOp::Distribution, nullptr, 0, &dist, 1, Value::nil());
    to_.node(distribution).number = static_cast<std::uint32_t>(i);
  }
  const Value name = pin(cx, id);
  to_.draws.push_back({site, name, node, dist});
  return Value::node(node);
}

void DataflowRecorder::add_score(const Value& score, std::uint32_t site) {
  if (score.is(Tag::Node)) {
    FlowNode& n = to_.node(static_cast<NodeIndex>(score.bits));
    n.weighs = true;
    n.number = static_cast<std::uint32_t>(to_.scores.size());
  }
  to_.scores.push_back({site, score});
}

bool DataflowRecorder::observe(NativeContext& cx, const Value& dist, const Value& x,
                               std::uint32_t site, double* log_prob) {
  Value given[2] = {dist, x};
  if (!ensure_realised(cx, given[0]) || !ensure_realised(cx, given[1])) return false;
  if (!arguments(cx, given, 2)) return false;
  const auto* d = now_[0].as<Dist>();
  if (d->type->estimated || !d->type->log_prob) {
    refuse(cx, "observe: this score cannot be recorded");
    return false;
  }
  if (!observe_score(cx, now_[0], now_[1], log_prob)) {
    pin_arguments(cx);
    return false;
  }
  Value score = Value::real(*log_prob);
  if (arguments_[0].is(Tag::Node) || arguments_[1].is(Tag::Node))
    score = node_of(FlowOp::Observe, nullptr, score);
  if (!(*log_prob < INFINITY))
    pin(cx, score);
  else
    add_score(score, site);
  return true;
}

bool DataflowRecorder::score(NativeContext& cx, const Value& log_prob, std::uint32_t site,
                             double* present) {
  const Value now = to_.now(log_prob);
  if (!now.is_number()) {
    refuse(cx, "observe: this score cannot be recorded");
    return false;
  }
  *present = to_double(now);
  Value score = Value::real(*present);
  if (log_prob.is(Tag::Node)) {
    arguments_.assign(1, log_prob);
    score = node_of(FlowOp::Score, nullptr, score);
  }
  if (!(*present < INFINITY))
    pin(cx, score);
  else
    add_score(score, site);
  return true;
}

}  // namespace chancel
