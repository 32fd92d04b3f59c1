// SPDX-License-Identifier: Apache-2.0
// Library functions that work on the execution itself: memoisation, the store, atoms and cells,
// lazy values, drawing and scoring directly, random processes. They keep nothing outside the world,
// so that forked executions stay apart.
#include "library/world_natives.hpp"

#include <fmt/format.h>

#include <cmath>

#include "diag/diagnostic.hpp"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"
#include "value/observed_value.hpp"
#include "value/print.hpp"
#include "value/record.hpp"
#include "value/world.hpp"
#include "vm/hidden_stream.hpp"
#include "vm/machine.hpp"
#include "vm/machine_parts.hpp"

namespace chancel {

namespace {

// --- store ---

Value store(NativeContext& cx, const Value* args, std::uint32_t count) {
  Arena& arena = *cx.arena;
  const Value value = args[count - 1];
  const World* const old = cx.world;
  constexpr std::uint32_t kMostKeys = 15;
  Value path[kMostKeys], key[kMostKeys];
  const std::uint32_t keys = count - 1;
  if (keys > kMostKeys) return cx.fail(Code::R009, "store: the path has more than 15 keys", 0);
  for (std::uint32_t i = 0; i < keys; ++i) {
    key[i] = args[i];
    if (!ensure_realised(cx, key[i])) return Value::nil();
  }
  Value at = old ? old->store : Value::nil();
  for (std::uint32_t i = 0; i < keys; ++i) {
    path[i] = is_map(at) ? at : empty_map(arena);
    const Value* next = map_find(path[i], key[i]);
    at = next ? *next : Value::nil();
  }
  Value made = value;
  for (std::uint32_t i = keys; i-- > 0;) made = map_assoc(arena, path[i], key[i], made);
  fresh_id(cx);
  cx.world->store = made;
  return value;
}

Value retrieve(NativeContext& cx, const Value* args, std::uint32_t count) {
  const World* const w = cx.world;
  Value at = w ? w->store : Value::nil();
  for (std::uint32_t i = 0; i < count; ++i) {
    Value key = args[i];
    if (!is_map(at) || !ensure_realised(cx, key)) return Value::nil();
    const Value* next = map_find(at, key);
    if (!next) return Value::nil();
    at = *next;
  }
  return at;
}

// --- memoisation ---

Value mem(NativeContext& cx, const Value* args, std::uint32_t) {
  const std::uint64_t id = fresh_id(cx);
  auto* m = cx.arena->make<Memo>(Tag::Memo);
  m->id = id;
  m->function = args[0];
  return Value::object(m);
}

Value memo_new(NativeContext& cx, const Value*, std::uint32_t) {
  const Value none = Value::nil();
  return mem(cx, &none, 1);
}

// The function of a memo made by %memo-new is known only after the memo: the one object that is
// completed late.
Value memo_set(NativeContext& cx, const Value* args, std::uint32_t) {
  args[0].as<Memo>()->function = args[1];
  cx.arena->remember(args[0].o);
  return args[0];
}

// --- cells ---

Value atom(NativeContext& cx, const Value* args, std::uint32_t) {
  const std::uint64_t id = fresh_id(cx);
  auto* a = cx.arena->make<Atom>(Tag::Atom);
  a->id = id;
  a->initial = args[0];
  return Value::object(a);
}

Value cell_get(NativeContext& cx, const Value* args, std::uint32_t) {
  if (!args[0].is(Tag::Atom)) return cx.wrong_type("%cell-get", 0, "a cell", args[0]);
  const Value* found = cell_find(cx.world, args[0].as<Atom>()->id);
  return found ? *found : args[0].as<Atom>()->initial;
}

Value cell_set(NativeContext& cx, const Value* args, std::uint32_t) {
  if (!args[0].is(Tag::Atom)) return cx.wrong_type("reset!", 0, "an atom", args[0]);
  cell_store(cx, args[0].as<Atom>()->id, args[1]);
  return args[1];
}

bool delay_value(NativeContext& cx, const Value& delay, Value* out) {
  const auto* d = delay.as<Delay>();
  if (d->state == LazySeq::kRealised) {
    *out = d->value;
    return true;
  }
  const Value* found = cx.in_query ? cell_find(cx.world, d->id) : nullptr;
  if (found) *out = *found;
  return found != nullptr;
}

Value deref(NativeContext& cx, const Value* args, std::uint32_t) {
  switch (args[0].tag) {
    case Tag::Atom:
      return cell_get(cx, args, 1);
    case Tag::Reduced:
      return args[0].as<Reduced>()->value;
    case Tag::Delay: {
      Value v;
      return delay_value(cx, args[0], &v) ? v : cx.need(args[0], false);
    }
    default:
      return cx.wrong_type("deref", 0, "an atom or a delay", args[0]);
  }
}

Value force(NativeContext& cx, const Value* args, std::uint32_t) {
  return args[0].is(Tag::Delay) ? deref(cx, args, 1) : args[0];
}

template <class T>
Value make_lazy(NativeContext& cx, Tag tag, const Value& thunk) {
  const std::uint64_t id = cx.in_query ? fresh_id(cx) : top_level_id();
  auto* l = cx.arena->make<T>(tag);
  l->state = LazySeq::kWaiting;
  l->id = id;
  l->value = thunk;
  return Value::object(l);
}

Value lazy_seq(NativeContext& cx, const Value* args, std::uint32_t) {
  return make_lazy<LazySeq>(cx, Tag::LazySeq, args[0]);
}

Value delay(NativeContext& cx, const Value* args, std::uint32_t) {
  return make_lazy<Delay>(cx, Tag::Delay, args[0]);
}

Value is_realized(NativeContext& cx, const Value* args, std::uint32_t) {
  Value v;
  if (args[0].is(Tag::Delay)) return Value::boolean(delay_value(cx, args[0], &v));
  if (!args[0].is(Tag::LazySeq)) return Value::boolean(true);
  return Value::boolean(lazy_value(cx, args[0].as<LazySeq>(), &v));
}

Value gensym(NativeContext& cx, const Value* args, std::uint32_t count) {
  std::string prefix = "G__";
  if (count == 1) {
    if (args[0].is(Tag::String))
      prefix = std::string(string_view_of(args[0]));
    else if (args[0].is(Tag::Symbol))
      prefix = args[0].name->full;
    else
      return cx.wrong_type("gensym", 0, "a string", args[0]);
  }
  std::size_t grown = 0;
  const Name* name = intern(fmt::format("{}{}", prefix, fresh_id(cx)), grown);
  if (grown > 0) cx.arena->heap().charge(grown);
  return Value::symbol(name);
}

Value in_query(NativeContext& cx, const Value*, std::uint32_t) {
  return Value::boolean(cx.in_query);
}

// The thunk of a delay that has no value yet; else nil.
Value waiting_thunk(NativeContext&, const Value* args, std::uint32_t) {
  const bool waits = args[0].is(Tag::Delay) && args[0].as<Delay>()->state != LazySeq::kRealised;
  return waits ? args[0].as<Delay>()->value : Value::nil();
}

Value outside_queries(NativeContext& cx, const Value* args, std::uint32_t) {
  if (cx.in_query)
    cx.fail(Code::F010,
            fmt::format("{}: not available in a query",
                        std::string_view(args[0].as<String>()->text, args[0].as<String>()->length)),
            -1, "an execution has one thread: use let, or call the function itself");
  return Value::nil();
}

// Compiled to an instruction; reached only as a value passed around, where no machine counts.
Value apply_count(NativeContext&, const Value*, std::uint32_t) { return Value::integer(0); }

// Compiled to an instruction.
Value reduce_vector(NativeContext& cx, const Value*, std::uint32_t) {
  return cx.fail(Code::X001, "%reduce-vector is not a function");
}

// --- distributions and processes, directly ---

// Puts the machine's failure into the context.
Value pass_on_failure(NativeContext& cx) {
  Diagnostic& d = cx.machine->failure();
  return cx.fail(d.code, d.message, 0, d.hint);
}

Value sample_direct(NativeContext& cx, const Value* args, std::uint32_t) {
  if (!args[0].is(Tag::Dist) && !is_record_dist(args[0]))
    return cx.wrong_type("sample*", 0, "a distribution", args[0]);
  if (!hidden_stream(cx, "sample*")) return Value::nil();
  Value out;
  if (!cx.machine->draw(args[0], &out)) return pass_on_failure(cx);
  return out;
}

// Calls a method of a record in the native's place; `missing` is the mistake when there is none.
Value call_method(NativeContext& cx, const char* method, Code missing, const Value* args,
                  std::uint32_t count) {
  if (const Value* f = find_method(cx.machine->globals, args[0], method))
    return cx.delegate(*f, args, count);
  return cx.fail(missing,
                 fmt::format("{} has no method {}", args[0].as<Record>()->type->name->full, method),
                 0);
}

Value observe_direct(NativeContext& cx, const Value* args, std::uint32_t) {
  if (is_record_dist(args[0])) return call_method(cx, "observe*", Code::R011, args, 2);
  if (!args[0].is(Tag::Dist)) return cx.wrong_type("observe*", 0, "a distribution", args[0]);
  double log_prob;
  if (!cx.machine->score(args[0], args[1], &log_prob)) return pass_on_failure(cx);
  if (log_prob == -INFINITY && args[0].is(Tag::Dist))
    log_prob = score_equivalent(cx, args[0].as<Dist>(), args[1]);
  if (!cx.ok()) return Value::nil();
  return Value::real(log_prob);
}

Value produce(NativeContext& cx, const Value* args, std::uint32_t) {
  if (args[0].is(Tag::Process)) {
    const auto* p = args[0].as<Process>();
    return p->type->produce(cx, p);
  }
  if (!args[0].is(Tag::Record)) return cx.wrong_type("produce", 0, "a random process", args[0]);
  return call_method(cx, "produce", Code::R013, args, 1);
}

Value absorb(NativeContext& cx, const Value* args, std::uint32_t) {
  if (args[0].is(Tag::Process)) {
    const auto* p = args[0].as<Process>();
    const Value& x = args[1];
    if (!x.is(Tag::Bool) && !(x.is(Tag::Double) && x.d == std::floor(x.d)))
      return p->type->absorb(cx, p, x);
    // It may say the same as a value of the process: 1.0 is table 1.
    const Value distribution = p->type->produce(cx, p);
    if (!cx.ok()) return distribution;
    return p->type->absorb(cx, p, own_value(cx, distribution.as<Dist>(), x));
  }
  if (!args[0].is(Tag::Record)) return cx.wrong_type("absorb", 0, "a random process", args[0]);
  return call_method(cx, "absorb", Code::R013, args, 2);
}

// --- exceptions ---

Value make_exception(NativeContext& cx, const char* type, const Value& message, const Value& data,
                     const Value& cause) {
  auto* e = cx.arena->make<Exception>(Tag::Exception);
  e->code = Exception::kThrown;
  e->type = intern(type);
  e->file = e->begin = e->end = e->unused = 0;
  e->message = message;
  e->data = data;
  e->cause = cause;
  return Value::object(e);
}
Value ex_info(NativeContext& cx, const Value* args, std::uint32_t count) {
  return make_exception(cx, "clojure.lang.ExceptionInfo", args[0],
                        count > 1 ? args[1] : Value::nil(), count > 2 ? args[2] : Value::nil());
}
// (%exception class), (%exception class message), (%exception class message cause): a lone
// exception is the cause.
Value exception(NativeContext& cx, const Value* args, std::uint32_t count) {
  Value message = count > 1 ? args[1] : Value::nil();
  Value cause = count > 2 ? args[2] : Value::nil();
  if (message.is(Tag::Exception)) {
    cause = message;
    message = cause.as<Exception>()->message;
  }
  if (!args[0].is(Tag::Class)) return cx.wrong_type("%exception", 0, "a class", args[0]);
  return make_exception(cx, args[0].name->full.c_str(), message, Value::nil(), cause);
}
Value ex_message(NativeContext&, const Value* args, std::uint32_t) {
  return args[0].is(Tag::Exception) ? args[0].as<Exception>()->message : Value::nil();
}
Value ex_data(NativeContext&, const Value* args, std::uint32_t) {
  return args[0].is(Tag::Exception) ? args[0].as<Exception>()->data : Value::nil();
}
Value ex_cause(NativeContext&, const Value* args, std::uint32_t) {
  return args[0].is(Tag::Exception) ? args[0].as<Exception>()->cause : Value::nil();
}

}  // namespace

std::span<const NativeDef> world_natives() {
  static const NativeDef natives[] = {
      {"store", 1, 16, store, kWorld, "[key* value]",
       "Puts a value into the execution's store under a path of keys; gives the value."},
      {"retrieve", 0, 15, retrieve, kWorld, "[key*]",
       "What the execution's store has under a path of keys, or nil."},
      {"mem", 1, 1, mem, kWorld, "[f]",
       "The function f, remembering its results by arguments within one execution."},
      {"%memo-new", 0, 0, memo_new, kWorld, "[]",
       "A memoised function that is completed by %memo-set!."},
      {"%memo-set!", 2, 2, memo_set, kWorld, "[memo f]", "Completes a memoised function."},
      {"atom", 1, 1, atom, kWorld, "[value]",
       "A cell with a value; inside a query each execution has its own."},
      {"%cell-new", 1, 1, atom, kWorld, "[value]", "A cell with a value."},
      {"%cell-get", 1, 1, cell_get, kWorld, "[cell]", "The value of a cell."},
      {"%cell-set", 2, 2, cell_set, kWorld, "[cell value]", "Changes a cell."},
      {"reset!", 2, 2, cell_set, kWorld, "[atom value]",
       "Changes the value of an atom; gives the value."},
      {"deref", 1, 1, deref, kWorld, "[ref]", "The value of an atom or a delay."},
      {"force", 1, 1, force, kWorld, "[x]", "The value of a delay; anything else is itself."},
      {"%lazy-seq", 1, 1, lazy_seq, kWorld, "[thunk]",
       "A sequence that the thunk gives when it is needed."},
      {"%delay", 1, 1, delay, kWorld, "[thunk]", "A value that the thunk gives when it is needed."},
      {"realized?", 1, 1, is_realized, kWorld, "[x]",
       "True when this lazy sequence or delay has been realised."},
      {"gensym", 0, 1, gensym, kWorld, "[] [prefix]", "A symbol that is new in this execution."},
      {"%in-query?", 0, 0, in_query, 0, "[]", "Is this code running inside a query?"},
      {"%waiting-thunk", 1, 1, waiting_thunk, 0, "[delay]",
       "What a delay without a value will call, or nil."},
      {"%outside-queries", 1, 1, outside_queries, 0, "[function]", "Fails inside a query."},
      {"apply-count", 0, 0, apply_count, kWorld, "[]",
       "Function applications of this execution so far."},
      {"eval-count", 0, 0, apply_count, kWorld, "[]",
       "Same as apply-count: the machine compiles and does not evaluate."},
      {"%reduce-vector", 4, 4, reduce_vector, 0, "[f init vector from]",
       "The loop of reduce over a vector."},
      {"sample*", 1, 1, sample_direct, kWorld, "[dist]",
       "Draws from a distribution; the draw is not a choice that inference can change."},
      {"observe*", 2, 2, observe_direct, kWorld, "[dist x]",
       "The log-probability of x under a distribution."},
      {"produce", 1, 1, produce, kWorld, "[process]",
       "The distribution of the next value of a random process."},
      {"absorb", 2, 2, absorb, kWorld, "[process x]",
       "The random process after it has produced x."},
      {"ex-info", 1, 3, ex_info, 0, "[message data] [message data cause]",
       "An exception with a message and data, for throw."},
      {"%exception", 1, 3, exception, 0, "[class] [class message] [class message cause]",
       "An exception of a class."},
      {"ex-message", 1, 1, ex_message, 0, "[e]", "The message of an exception."},
      {"ex-data", 1, 1, ex_data, 0, "[e]", "The data of an exception."},
      {"ex-cause", 1, 1, ex_cause, 0, "[e]", "The exception that caused this one, or nil."},
  };
  return natives;
}

}  // namespace chancel
