// SPDX-License-Identifier: Apache-2.0
// The run loop: one straight idea, therefore long. Direct-threaded dispatch over opcodes.def. Fast
// paths are inline, everything rare jumps to a slow path at the end of the function. Registers of
// the loop (code, pc, R, ct, fuel) live in machine registers and are written back only when a frame
// is frozen, a collection runs or control is handed to unwind.cpp. The loop is compiled twice: while
// a program is recorded, or draws are put off, numbers may be nodes (value/symbolic_hook.hpp), which no fast path takes.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "bytecode/format.hpp"
#include "fmt/format.h"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"
#include "value/metadata.hpp"
#include "value/move_fresh.hpp"
#include "value/number.hpp"
#include "value/observed_value.hpp"
#include "value/print.hpp"
#include "value/record.hpp"
#include "value/world.hpp"
#include "vm/delay_hook.hpp"
#include "vm/hot_code.hpp"
#include "vm/machine.hpp"
#include "vm/machine_parts.hpp"
#include "vm/record_hook.hpp"
#include "vm/test_probe.hpp"

namespace chancel {

namespace {

inline bool both(const Value& a, const Value& b, Tag t) { return a.tag == t && b.tag == t; }
inline bool plain_number(const Value& v) { return v.tag == Tag::Int || v.tag == Tag::Double; }
inline double plain_double(const Value& v) {
  return v.tag == Tag::Int ? static_cast<double>(v.i) : v.d;
}

// Functions are equal to themselves only and may move in memory; when one was made, counted in
// applications, distinguishes it from others (see function_hash in value/hash.cpp).
inline std::uint16_t creation_mark(std::uint64_t applications) {
  return static_cast<std::uint16_t>((applications * 0x9e3779b97f4a7c15ull) >> 48);
}

// Equality of two values that are not objects, or unknown.
inline int quick_equal(const Value& a, const Value& b) {
  if (a.tag < kFirstObject || b.tag < kFirstObject) {
    if (a.tag != b.tag) {
      if (a.tag == Tag::EmptyList || b.tag == Tag::EmptyList) return -1;
      return a.tag == Tag::BigInt || b.tag == Tag::BigInt ? -1 : 0;
    }
    if (a.tag == Tag::Double) return a.d == b.d;
    return a.bits == b.bits;
  }
  return -1;
}

}  // namespace

template <bool kSymbolic>
void Machine::run_loop(Stack& s, Execution& x, const Value& answer, Entry entry, Checkpoint& out) {
  static const void* const kLabels[] = {
#define CHANCEL_OP(name, format, words) &&op_##name,
#include "bytecode/opcodes.def"
#undef CHANCEL_OP
  };
  Value* const bottom = s.slots.get();
  Call* const ct_base = s.calls.get();
  Call* ct = ct_base;
  const CodeBlock* code;
  const Instr* pc;
  Value* R;
  const Instr* ip;
  const TestProbe* const probe = TestProbe::of_process;
  const std::int64_t full = CHANCEL_UNLIKELY(probe && probe->hot_sooner) ? 64 : kFuel;
  std::int64_t fuel = full;
  std::uint64_t applications = x.applications - static_cast<std::uint64_t>(kFuel - full);
  Arena& arena = arena_;
  const bool nested = entry == Entry::Nested || entry == Entry::NestedRecording;
  const bool delays = kSymbolic && delay_hook() != nullptr;
  const bool stop_samples = wants.samples && !nested && (!kSymbolic || delays);
  bool look_at_samples = stop_samples;  // or remember the state before the next one
  const bool stop_observes = wants.observes && !nested && (!kSymbolic || delays);
  HotCode* const hot = hot_code();               // not while recording: nodes are not numbers
  const bool outside = nested || !cx_.in_query;  // where no engine can answer an observe
  const bool skips_observes = ignores_observes && !outside;

  // operands of the shared slow paths
  Value* w;         // call window: function, arguments
  std::uint32_t n;  // arguments
  std::uint16_t dst = 0;
  FrameKind kind = FrameKind::Normal;
  const Instr* at;     // the instruction at work
  std::uint32_t live;  // its live registers
  Value v;
  const Value* from;  // of a Return
  const NativeDef* nd;
  Value pair[3];
  double log_prob;  // of an observe
  bool estimated;   // so is log_prob

#define THAW(frame)                            \
  do {                                         \
    Frame* f_ = (frame);                       \
    copy_values(bottom, f_->slots, f_->count); \
    R = bottom + 1;                            \
    code = f_->code;                           \
    pc = f_->pc;                               \
    s.below = f_->below;                       \
  } while (0)
#define NEXT                                 \
  do {                                       \
    ip = pc++;                               \
    goto* kLabels[static_cast<int>(ip->op)]; \
  } while (0)
#define CALL_NATIVE(args, count) \
  (kSymbolic ? cx_.symbolic->call(cx_, nd, (args), (count)) : nd->function(cx_, (args), (count)))
// What control asks of a value that may be a node.
#define TEST(kind_, value_, plain_)                                   \
  (kSymbolic && CHANCEL_UNLIKELY((value_).tag == Tag::Node)           \
       ? cx_.symbolic->test(cx_, SymbolicHook::Test::kind_, (value_)) \
       : (plain_))
// After a question of control that a node may not answer.
#define IF_ANSWERED                                 \
  do {                                              \
    if (kSymbolic && CHANCEL_UNLIKELY(!cx_.ok())) { \
      at = ip;                                      \
      goto control_status;                          \
    }                                               \
  } while (0)
// What an instruction cannot do itself, the library function of its extension word does.
#define SLOW(operands)                       \
  do {                                       \
    at = pc - 1;                             \
    nd = ext_native(*pc);                    \
    live = ext_live(*pc);                    \
    pc += 1;                                 \
    pair[0] = R[ip->b];                      \
    if ((operands) == 2) pair[1] = R[ip->c]; \
    n = (operands);                          \
    goto native_pair;                        \
  } while (0)

  try {
    if (entry == Entry::Sibling) {
      const FirstDraw& d = first_draw_;
      copy_values(bottom, d.slots, d.slot_count);
      for (std::size_t k = 0; k < d.call_count; ++k) *ct++ = d.calls[k];
      R = d.base;
      code = d.code;
      pc = d.at;
      s.below = d.below;
      cx_.world = d.world;
      predicts_ = d.predicts;
      applications += d.applications;
    } else {
      Frame* top = static_cast<Frame*>(x.top);
      THAW(top);
      if (top->dst != kNoDestination) R[top->dst] = answer;
      cx_.world = x.world;
      predicts_ = x.predicts;
      if (first_draw_.wanted && !nested) look_at_samples = true;
    }
    if (delays && !nested) {
      delay_->draw_from(stop_samples ? nullptr : &stream);
      if (CHANCEL_UNLIKELY(stop_samples && delay_->waits(cx_))) delay_->answer(cx_, answer);
    }
    NEXT;

    // --- moves and constants ---
  op_Move:
    R[ip->a] = R[ip->b];
    NEXT;
  op_LoadConst:
    R[ip->a] = code->constants[static_cast<std::size_t>(ip->wide())];
    NEXT;
  op_LoadInt:
    R[ip->a] = Value::integer(ip->wide());
    NEXT;
  op_LoadNil:
    R[ip->a] = Value::nil();
    NEXT;
  op_LoadGlobal : {
    const Value& global = globals[ip->wide()];
    if (CHANCEL_UNLIKELY(Program::is_unbound(global))) {
      at = pc - 1;
      n = static_cast<std::uint32_t>(ip->wide());
      goto unbound_global;
    }
    R[ip->a] = global;
    NEXT;
  }
  op_LoadCaptured:
    R[ip->a] = R[-1].as<Closure>()->captured[ip->b];
    NEXT;
  op_LoadSelf:
    R[ip->a] = R[-1];
    NEXT;
  op_MakeClosure : {
    const FunctionProto* proto = code->functions[static_cast<std::size_t>(ip->wide())];
    const std::size_t count = proto->captures.size();
    auto* c = arena.make<Closure>(Tag::Closure, bytes_with<Closure>(count));
    c->function = proto;
    c->aux = creation_mark(applications + static_cast<std::uint64_t>(kFuel - fuel));
    for (std::size_t k = 0; k < count; ++k) {
      const Capture cap = proto->captures[k];
      c->captured[k] = cap.index == kSelfCapture ? R[-1]
                       : cap.from_local          ? R[cap.index]
                                                 : R[-1].as<Closure>()->captured[cap.index];
    }
    R[ip->a] = Value::object(c);
    if (proto->is_query) {
      auto* q = arena.make<Query>(Tag::Query);
      q->function = proto;
      q->aux = c->aux;
      q->body = R[ip->a];
      R[ip->a] = Value::object(q);
    }
    NEXT;
  }
  op_PatchCapture:
    R[ip->a].as<Closure>()->captured[ip->b] = R[ip->c];
    NEXT;

    // --- jumps ---
  op_Jump:
    pc += ip->wide();
    NEXT;
  op_LoopJump:
    pc += ip->wide();
    if (CHANCEL_UNLIKELY(--fuel <= 0 || alarm_)) {
      live = ip->a;
      goto safe_point;
    }
    NEXT;
// A jump that depends on a node (kSymbolic only): a recorder may follow both ways to where they meet.
#define MEET(depends_)                                        \
  if constexpr (kSymbolic) {                                  \
    if (recorder_ && (depends_)) {                            \
      RecordHook::Meeting m_;                                 \
      if (recorder_->meet(cx_, *code, ip, R, globals, &m_)) { \
        fuel -= 2;                                            \
        if (m_.next) {                                        \
          pc = m_.next;                                       \
          NEXT;                                               \
        }                                                     \
        from = R + m_.result;                                 \
        goto do_return;                                       \
      }                                                       \
    }                                                         \
  }
  op_JumpIfFalse:
    MEET(R[ip->a].tag == Tag::Node);
    if (!TEST(Truth, R[ip->a], R[ip->a].truthy())) pc += ip->wide();
    IF_ANSWERED;
    NEXT;
  op_JumpIfTrue:
    MEET(R[ip->a].tag == Tag::Node);
    if (TEST(Truth, R[ip->a], R[ip->a].truthy())) pc += ip->wide();
    IF_ANSWERED;
    NEXT;
#define COMPARE_JUMP(name, rel_, word)                                                          \
  op_##name : {                                                                                 \
    const Value& a_ = R[ip->a];                                                                 \
    const Value& b_ = R[ip->b];                                                                 \
    bool yes_;                                                                                  \
    --fuel;                                                                                     \
    if (CHANCEL_LIKELY(both(a_, b_, Tag::Int))) {                                               \
      yes_ = a_.i rel_ b_.i;                                                                    \
    } else if (plain_number(a_) && plain_number(b_)) {                                          \
      yes_ = plain_double(a_) rel_ plain_double(b_);                                            \
    } else {                                                                                    \
      MEET(a_.tag == Tag::Node || b_.tag == Tag::Node);                                         \
      const int order_ =                                                                        \
          kSymbolic ? cx_.symbolic->order(cx_, word, a_, b_) : number_order(cx_, word, a_, b_); \
      if (!cx_.ok()) {                                                                          \
        at = pc - 1;                                                                            \
        goto control_status;                                                                    \
      }                                                                                         \
      yes_ = order_ != 2 && order_ rel_ 0;                                                      \
    }                                                                                           \
    if (!yes_) pc += static_cast<std::int16_t>(ip->c);                                          \
    NEXT;                                                                                       \
  }
    COMPARE_JUMP(JumpUnlessLt, <, "<")
    COMPARE_JUMP(JumpUnlessLe, <=, "<=")
  op_JumpUnlessEq : {
    --fuel;
    int same;
    MEET(R[ip->a].tag == Tag::Node || R[ip->b].tag == Tag::Node);
    if constexpr (kSymbolic) {
      same = cx_.symbolic->same(cx_, R[ip->a], R[ip->b]);
      IF_ANSWERED;
    } else {
      same = quick_equal(R[ip->a], R[ip->b]);
      if (same < 0) same = equal(R[ip->a], R[ip->b]);
    }
    if (!same) pc += static_cast<std::int16_t>(ip->c);
    NEXT;
  }

    // --- calls ---
  op_Call:
    w = R + ip->b;
    n = ip->c;
    dst = ip->a;
    kind = FrameKind::Normal;
    at = pc - 1;
  do_call:
    --fuel;
    if (CHANCEL_LIKELY(w->tag == Tag::Closure)) {
      const CodeBlock* callee = proto_of(w->as<Closure>())->find(n);
      if (CHANCEL_UNLIKELY(!callee)) goto arity_error;
      if (CHANCEL_UNLIKELY(callee->variadic)) {
        w[1 + callee->params] = n > callee->params
                                    ? make_list(arena, w + 1 + callee->params, n - callee->params)
                                    : Value::nil();
      }
      *ct++ = {code, pc, R, dst, kind};
      R = w + 1;
      code = callee;
      pc = callee->instrs.data();
      if (CHANCEL_UNLIKELY(R + callee->entry_size.load(std::memory_order_relaxed) >= s.end ||
                           fuel <= 0 || alarm_))
        goto entry_slow;
      NEXT;
    }
    goto call_other;
  op_CallGlobal : {
    const std::uint64_t word = word_of(*pc);
    w = R + ip->b;
    *w = globals[static_cast<std::uint32_t>(word)];
    at = pc - 1;
    ++pc;
    n = ip->c;
    dst = ip->a;
    kind = FrameKind::Normal;
    if (CHANCEL_UNLIKELY(w->tag != Tag::Closure) && Program::is_unbound(*w)) {
      n = static_cast<std::uint32_t>(word);
      goto unbound_global;
    }
    goto do_call;
  }
  op_TailCall:
    w = R + ip->b;
    n = ip->c;
    at = pc - 1;
    if (CHANCEL_LIKELY(w->tag == Tag::Closure)) {
    tail_closure:
      --fuel;
      const CodeBlock* callee = proto_of(w->as<Closure>())->find(n);
      dst = ip->a;
      if (CHANCEL_UNLIKELY(!callee)) goto arity_error;
      std::uint32_t count = n;
      if (CHANCEL_UNLIKELY(callee->variadic)) {
        w[1 + callee->params] = n > callee->params
                                    ? make_list(arena, w + 1 + callee->params, n - callee->params)
                                    : Value::nil();
        count = callee->params + 1u;
      }
      for (std::uint32_t k = 0; k <= count; ++k) R[static_cast<std::ptrdiff_t>(k) - 1] = w[k];
      code = callee;
      pc = callee->instrs.data();
      if (CHANCEL_UNLIKELY(R + callee->entry_size.load(std::memory_order_relaxed) >= s.end ||
                           fuel <= 0 || alarm_))
        goto entry_slow;
      NEXT;
    }
    dst = ip->a;  // not a closure: an ordinary call; a Return follows
    kind = FrameKind::Normal;
    goto do_call;
  op_Apply:
  op_TailApply : {
    w = R + ip->b;
    dst = ip->a;
    kind = FrameKind::Normal;
    at = pc - 1;
    goto do_apply;
  }
  op_Return:
    from = R + ip->a;
  do_return : {
    if (CHANCEL_LIKELY(ct > ct_base)) {
      --ct;
      R = ct->base;
      code = ct->code;
      pc = ct->pc;
      if (CHANCEL_LIKELY(ct->kind == FrameKind::Normal)) {
        move_fresh(R[ct->dst], *from);
        NEXT;
      }
      kind = ct->kind;
      dst = ct->dst;
      v = *from;
    } else {
      Frame* below = s.below;
      kind = below->kind;
      dst = below->dst;
      move_fresh(v, *from);  // the frame below takes its place
      if (below->pc->op == Op::ReduceVector && v.tag != Tag::Reduced) goto reduce_on;
      THAW(below);
      if (CHANCEL_LIKELY(kind == FrameKind::Normal)) {
        R[dst] = v;
        NEXT;
      }
    }
    if (kind == FrameKind::Rethrow) {
      v = R[pc[-1].b + 1];
      at = pc - 1;
      goto raise_value;
    }
    R[dst] = v;
    NEXT;
  }

    // --- natives ---
  op_Native:
    at = pc - 1;
    nd = ext_native(*pc);
    live = ext_live(*pc);
    ++pc;
    --fuel;
    {
      cx_.callee = nd;
      const Value given = CALL_NATIVE(R + ip->b, ip->c);
      if (CHANCEL_UNLIKELY(!cx_.ok())) goto native_status;
      R[ip->a] = given;
    }
    NEXT;
  op_Native1:
    at = pc - 1;
    nd = ext_native(*pc);
    live = ext_live(*pc);
    ++pc;
    --fuel;
    {
      cx_.callee = nd;
      const Value given = CALL_NATIVE(R + ip->b, 1);
      if (CHANCEL_UNLIKELY(!cx_.ok())) goto native_status;
      R[ip->a] = given;
    }
    NEXT;
  op_Native2:
    SLOW(2);
  native_pair : {
    --fuel;
    cx_.callee = nd;
    const Value given = CALL_NATIVE(pair, n);
    if (CHANCEL_UNLIKELY(!cx_.ok())) goto native_status;
    R[ip->a] = given;
    NEXT;
  }

// --- arithmetic ---
#define ARITHMETIC(name, builtin, rel_)                                \
  op_##name : {                                                        \
    const Value& a_ = R[ip->b];                                        \
    const Value& b_ = R[ip->c];                                        \
    if (CHANCEL_LIKELY(both(a_, b_, Tag::Int))) {                      \
      std::int64_t r_;                                                 \
      if (CHANCEL_LIKELY(!builtin(a_.i, b_.i, &r_))) {                 \
        --fuel;                                                        \
        R[ip->a] = Value::integer(r_);                                 \
        ++pc;                                                          \
        NEXT;                                                          \
      }                                                                \
    } else if (CHANCEL_LIKELY(plain_number(a_) && plain_number(b_))) { \
      --fuel;                                                          \
      R[ip->a] = Value::real(plain_double(a_) rel_ plain_double(b_));  \
      ++pc;                                                            \
      NEXT;                                                            \
    }                                                                  \
    SLOW(2);                                                           \
  }
    ARITHMETIC(Add, __builtin_saddl_overflow, +)
    ARITHMETIC(Sub, __builtin_ssubl_overflow, -)
    ARITHMETIC(Mul, __builtin_smull_overflow, *)
  op_Div : {
    const Value& a = R[ip->b];
    const Value& b = R[ip->c];
    if (CHANCEL_LIKELY(plain_number(a) && plain_number(b) &&
                       (a.tag == Tag::Double || b.tag == Tag::Double))) {
      --fuel;
      R[ip->a] = Value::real(plain_double(a) / plain_double(b));
      ++pc;
      NEXT;
    }
    SLOW(2);
  }
  op_AddInt : {
    const Value& a = R[ip->b];
    const auto k = static_cast<std::int16_t>(ip->c);
    std::int64_t r;
    if (CHANCEL_LIKELY(a.tag == Tag::Int && !__builtin_saddl_overflow(a.i, k, &r))) {
      --fuel;
      R[ip->a] = Value::integer(r);
      ++pc;
      NEXT;
    }
    if (a.tag == Tag::Double) {
      --fuel;
      R[ip->a] = Value::real(a.d + k);
      ++pc;
      NEXT;
    }
    at = pc - 1;
    nd = ext_native(*pc);
    live = ext_live(*pc);
    ++pc;
    pair[0] = a;
    pair[1] = Value::integer(k);
    n = 2;
    goto native_pair;
  }
#define COMPARISON(name, rel_)                                           \
  op_##name : {                                                          \
    const Value& a_ = R[ip->b];                                          \
    const Value& b_ = R[ip->c];                                          \
    if (CHANCEL_LIKELY(both(a_, b_, Tag::Int))) {                        \
      --fuel;                                                            \
      R[ip->a] = Value::boolean(a_.i rel_ b_.i);                         \
      ++pc;                                                              \
      NEXT;                                                              \
    }                                                                    \
    if (CHANCEL_LIKELY(plain_number(a_) && plain_number(b_))) {          \
      --fuel;                                                            \
      R[ip->a] = Value::boolean(plain_double(a_) rel_ plain_double(b_)); \
      ++pc;                                                              \
      NEXT;                                                              \
    }                                                                    \
    SLOW(2);                                                             \
  }
    COMPARISON(Lt, <)
    COMPARISON(Le, <=)
    COMPARISON(Gt, >)
    COMPARISON(Ge, >=)
    COMPARISON(NumEq, ==)
  op_Eq : {
    if constexpr (kSymbolic)
      if (may_hold_nodes(R[ip->b]) || may_hold_nodes(R[ip->c])) SLOW(2);
    const int same = quick_equal(R[ip->b], R[ip->c]);
    if (CHANCEL_LIKELY(same >= 0)) {
      --fuel;
      R[ip->a] = Value::boolean(same);
      ++pc;
      NEXT;
    }
    SLOW(2);
  }
  op_Not:
    --fuel;
    if constexpr (kSymbolic) {
      if (recorder_ && R[ip->b].tag == Tag::Node)
        v = recorder_->tested(cx_, SymbolicHook::Test::Truth, true, R[ip->b]);
      else
        v = Value::boolean(!TEST(Truth, R[ip->b], R[ip->b].truthy()));
      IF_ANSWERED;
    } else {
      v = Value::boolean(!R[ip->b].truthy());
    }
    R[ip->a] = v;
    NEXT;
  op_IsNil:
    --fuel;
    if constexpr (kSymbolic) {
      if (recorder_ && R[ip->b].tag == Tag::Node)
        v = recorder_->tested(cx_, SymbolicHook::Test::Nil, false, R[ip->b]);
      else
        v = Value::boolean(TEST(Nil, R[ip->b], R[ip->b].is_nil()));
      IF_ANSWERED;
    } else {
      v = Value::boolean(R[ip->b].is_nil());
    }
    R[ip->a] = v;
    NEXT;

  op_IsReduced:
    --fuel;
    R[ip->a] = Value::boolean(TEST(Reduced, R[ip->b], R[ip->b].tag == Tag::Reduced));
    NEXT;
  op_ApplyCount:
    R[ip->a] = Value::integer(static_cast<std::int64_t>(applications) + kFuel - fuel);
    NEXT;

    // --- collections ---
  op_Get : {
    const Value& coll = R[ip->b];
    const Value& key = R[ip->c];
    if (CHANCEL_LIKELY(coll.tag == Tag::Vector && key.tag == Tag::Int)) {
      const auto* vec = coll.as<Vector>();
      --fuel;
      if (CHANCEL_LIKELY(static_cast<std::uint64_t>(key.i) < vec->count))
        R[ip->a] = vector_nth(vec, static_cast<std::uint32_t>(key.i));
      else
        R[ip->a] = Value::nil();
      ++pc;
      NEXT;
    }
    // A key that is a sequence may have parts that are not realised yet: the native asks for them.
    if ((coll.tag == Tag::ArrayMap || coll.tag == Tag::HashMap) &&
        (key.tag < kFirstObject || key.tag == Tag::String) &&
        !(kSymbolic && key.tag == Tag::Node)) {
      const Value* found = map_find(coll, key);
      --fuel;
      R[ip->a] = found ? *found : Value::nil();
      ++pc;
      NEXT;
    }
    SLOW(2);
  }
  op_GetCaptured : {
    const Value& coll = R[-1].as<Closure>()->captured[ip->b];
    const Value& key = R[ip->c];
    if (CHANCEL_LIKELY(coll.tag == Tag::Vector && key.tag == Tag::Int)) {
      const auto* vec = coll.as<Vector>();
      --fuel;
      if (CHANCEL_LIKELY(static_cast<std::uint64_t>(key.i) < vec->count))
        R[ip->a] = vector_nth(vec, static_cast<std::uint32_t>(key.i));
      else
        R[ip->a] = Value::nil();
      ++pc;
      NEXT;
    }
    at = ip;
    nd = ext_native(*pc);
    live = ext_live(*pc);
    ++pc;
    pair[0] = coll;
    pair[1] = key;
    n = 2;
    goto native_pair;
  }
  op_Nth : {
    const Value& coll = R[ip->b];
    const Value& key = R[ip->c];
    if (CHANCEL_LIKELY(coll.tag == Tag::Vector && key.tag == Tag::Int &&
                       static_cast<std::uint64_t>(key.i) < coll.as<Vector>()->count)) {
      --fuel;
      R[ip->a] = vector_nth(coll.as<Vector>(), static_cast<std::uint32_t>(key.i));
      ++pc;
      NEXT;
    }
    SLOW(2);
  }
  op_NthOrNil : {
    const Value& coll = R[ip->b];
    if (CHANCEL_LIKELY(coll.tag == Tag::Vector)) {
      const auto* vec = coll.as<Vector>();
      --fuel;
      R[ip->a] = ip->c < vec->count ? vector_nth(vec, ip->c) : Value::nil();
      ++pc;
      NEXT;
    }
    at = ip;
    nd = ext_native(*pc);
    live = ext_live(*pc);
    ++pc;
    pair[0] = coll;
    pair[1] = Value::integer(ip->c);
    pair[2] = Value::nil();
    n = 3;
    goto native_pair;
  }
  op_ReduceVector : {
    // f in a, result so far in a+1, vector in a+2, next index in a+3. Calls f and comes back to this
    // instruction until the vector is used up or the result is reduced; then continues after it
    // with the result in a+1.
    Value* r = R + ip->a;
    if constexpr (kSymbolic) {
      if (TEST(Reduced, r[1], false)) r[1] = cx_.symbolic->pin(cx_, r[1]);
      if (r[2].tag == Tag::Node) {
        v = cx_.symbolic->pin(cx_, r[2]);
        IF_ANSWERED;
        r[2] = v;
      }
    }
    if (CHANCEL_UNLIKELY(r[1].tag == Tag::Reduced)) {
      r[1] = r[1].as<Reduced>()->value;
      NEXT;
    }
    const auto* vec = r[2].as<Vector>();
    const auto index = static_cast<std::uint32_t>(r[3].i);
    if (CHANCEL_UNLIKELY(index >= vec->count)) NEXT;
    r[3].i = index + 1;
    r[4] = r[0];
    r[5] = r[1];
    r[6] = vector_nth(vec, index);
    w = r + 4;
    n = 2;
    dst = static_cast<std::uint16_t>(ip->a + 1);
    kind = FrameKind::Normal;
    at = ip;
    pc = ip;  // where the call returns to
    goto do_call;
  }
  reduce_on : {
    // f returned v into a frozen reduce: it stopped at a checkpoint and is likely to do so again. So
    // the next state of the reduce is made in the heap at once and f called above it, instead of
    // thawing the frame and freezing it again.
    Frame* const below = s.below;
    const Value* const r = below->slots + 1 + below->pc->a;
    const auto* vec = r[2].as<Vector>();
    const auto index = static_cast<std::uint32_t>(r[3].i);
    const CodeBlock* callee =
        r[0].tag == Tag::Closure ? proto_of(r[0].as<Closure>())->by_count[2] : nullptr;
    if (CHANCEL_UNLIKELY(index >= vec->count || !callee || callee->variadic)) {
      THAW(below);
      R[below->dst] = v;
      NEXT;
    }
    --fuel;
    Frame* const next = freeze(arena, below->below, below->code, below->pc, below->dst,
                               FrameKind::Normal, below->slots, below->count);
    Value* const to = next->slots + 1 + below->pc->a;
    to[1] = Value::nil();
    to[3].i = index + 1;
    s.below = next;
    R = bottom + 1;
    R[-1] = r[0];
    R[0] = v;
    R[1] = vector_nth(vec, index);
    code = callee;
    pc = callee->instrs.data();
    if (CHANCEL_UNLIKELY(R + callee->entry_size.load(std::memory_order_relaxed) >= s.end ||
                         fuel <= 0 || alarm_))
      goto entry_slow;
    NEXT;
  }
  op_VectorNth:
    --fuel;
    if constexpr (kSymbolic)
      for (const auto slot : {ip->b, ip->c})
        if (R[slot].tag == Tag::Node) {
          v = cx_.symbolic->pin(cx_, R[slot]);
          IF_ANSWERED;
          R[slot] = v;
        }
    R[ip->a] = vector_nth(R[ip->b].as<Vector>(), static_cast<std::uint32_t>(R[ip->c].i));
    NEXT;
  op_Conj:
    if (CHANCEL_LIKELY(R[ip->b].tag == Tag::Vector && !(R[ip->b].o->flags & kHasMeta))) {
      --fuel;
      R[ip->a] = vector_conj(arena, R[ip->b], R[ip->c]);
      ++pc;
      NEXT;
    }
    SLOW(2);
  op_Peek:
    if (CHANCEL_LIKELY(R[ip->b].tag == Tag::Vector && R[ip->b].as<Vector>()->count > 0)) {
      const auto* vec = R[ip->b].as<Vector>();
      --fuel;
      R[ip->a] = unpacked(packing_of(vec), vec->tail, vec->count - 1 - vec->tail_offset());
      ++pc;
      NEXT;
    }
    SLOW(1);
  op_First:
    if (R[ip->b].tag == Tag::Cons) {
      --fuel;
      R[ip->a] = R[ip->b].as<Cons>()->first;
      ++pc;
      NEXT;
    }
    if (R[ip->b].tag == Tag::VectorSeq) {
      const auto* sq = R[ip->b].as<VectorSeq>();
      --fuel;
      R[ip->a] = vector_nth(sq->vector, static_cast<std::uint32_t>(sq->index));
      ++pc;
      NEXT;
    }
    SLOW(1);
// What follows the first element of a part of a vector.
#define BEHIND(nothing)                                 \
  const auto* from_ = R[ip->b].as<VectorSeq>();         \
  --fuel;                                               \
  if (from_->index + 1 < from_->vector->count) {        \
    auto* seq_ = arena.make<VectorSeq>(Tag::VectorSeq); \
    seq_->vector = from_->vector;                       \
    seq_->index = from_->index + 1;                     \
    R[ip->a] = Value::object(seq_);                     \
  } else {                                              \
    R[ip->a] = nothing;                                 \
  }                                                     \
  ++pc;                                                 \
  NEXT
  op_Rest:
    if (R[ip->b].tag == Tag::Cons) {
      Object* o = R[ip->b].as<Cons>()->rest;
      --fuel;
      R[ip->a] = o ? Value::object(o) : Value::empty_list();
      ++pc;
      NEXT;
    }
    if (R[ip->b].tag == Tag::VectorSeq) {
      BEHIND(Value::empty_list());
    }
    SLOW(1);
  op_Next:
    if (R[ip->b].tag == Tag::Cons) {
      Object* o = R[ip->b].as<Cons>()->rest;
      if (!o || o->tag != Tag::LazySeq) {
        --fuel;
        R[ip->a] = o ? Value::object(o) : Value::nil();
        ++pc;
        NEXT;
      }
    }
    if (R[ip->b].tag == Tag::VectorSeq) {
      BEHIND(Value::nil());
    }
    SLOW(1);
#undef BEHIND
  op_Count:
    if (CHANCEL_LIKELY(R[ip->b].tag == Tag::Vector)) {
      --fuel;
      R[ip->a] = Value::integer(R[ip->b].as<Vector>()->count);
      ++pc;
      NEXT;
    }
    SLOW(1);
  op_IsEmpty : {
    const Value& coll = R[ip->b];
    int empty = -1;
    if (coll.tag == Tag::Vector)
      empty = coll.as<Vector>()->count == 0;
    else if (coll.tag == Tag::Cons || coll.tag == Tag::VectorSeq || coll.tag == Tag::Range)
      empty = 0;
    else if (coll.tag == Tag::Nil || coll.tag == Tag::EmptyList)
      empty = 1;
    if (CHANCEL_LIKELY(empty >= 0)) {
      --fuel;
      R[ip->a] = Value::boolean(empty);
      ++pc;
      NEXT;
    }
    SLOW(1);
  }
  op_Cons : {
    const Value& tail = R[ip->c];
    if (CHANCEL_LIKELY(tail.tag == Tag::Cons || tail.tag == Tag::Nil ||
                       tail.tag == Tag::EmptyList || tail.tag == Tag::LazySeq)) {
      --fuel;
      R[ip->a] = cons(arena, R[ip->b], tail);
      ++pc;
      NEXT;
    }
    SLOW(2);
  }

    // --- checkpoints ---
  op_Sample : {
    const Value& dist = R[ip->b];
    --fuel;
    if constexpr (kSymbolic) {
      at = pc - 1;
      v = dist;
      live = std::max<std::uint32_t>(ip->b + 1u, ext_site(*pc).live);
      goto sample_recorded;
    }
    if (CHANCEL_LIKELY(dist.tag == Tag::Dist && !look_at_samples)) {
      const auto* d = dist.as<Dist>();
      R[ip->a] = d->type->sample(cx_, d, stream);
      ++pc;
      if (CHANCEL_UNLIKELY(!cx_.ok())) {
        at = pc - 2;
        goto native_failed;
      }
      NEXT;
    }
    if (look_at_samples && !stop_samples) {
      live = ip->b + 1u;
      goto first_draw;
    }
    at = pc - 1;
    v = dist;
    goto sample_slow;
  }
  op_SampleDirect : {
    const auto* type = reinterpret_cast<const DistType*>(word_of(pc[1]));
    --fuel;
    if constexpr (kSymbolic) {
      at = pc - 1;
      v = cx_.symbolic->construct(cx_, type, R + ip->b, ip->c);
      live = std::max<std::uint32_t>(ip->b + ip->c, ext_site(*pc).live);
      nd = nullptr;
      if (!cx_.ok()) goto native_status;
      goto sample_recorded;
    }
    if (CHANCEL_LIKELY(!look_at_samples && type->sample_direct)) {
      if (CHANCEL_LIKELY(type->sample_direct(R + ip->b, ip->c, stream, &v))) {
        R[ip->a] = v;
        pc += 2;
        NEXT;
      }
    }
    if (look_at_samples && !stop_samples) {
      live = static_cast<std::uint32_t>(ip->b + ip->c);
      goto first_draw;
    }
    at = pc - 1;
    v = type->construct(cx_, R + ip->b, ip->c);
    if (!cx_.ok()) {
      live = static_cast<std::uint32_t>(ip->b + ip->c);
      nd = nullptr;
      goto native_status;
    }
    goto sample_slow;
  }
  op_Observe : {
    if (CHANCEL_UNLIKELY(skips_observes)) goto observe_skipped;
    Value& dist = R[ip->b];
    estimated = false;
    --fuel;
    at = pc - 1;
    if constexpr (kSymbolic) {
      live = std::max<std::uint32_t>({ip->b + 1u, ip->c + 1u, ext_site(*pc).live});
      if (dist.tag == Tag::Node) {
        v = cx_.symbolic->distribution(cx_, dist);
        if (!cx_.ok()) goto native_status;
        dist = v;
      }
      if (dist.tag == Tag::Dist || dist.tag == Tag::Node) {
        v = dist;
        pair[0] = R[ip->c];
        goto observe_recorded;
      }
    }
    if (CHANCEL_LIKELY(dist.tag == Tag::Dist)) {
      const auto* d = dist.as<Dist>();
      if (CHANCEL_UNLIKELY(!d->type->log_prob)) goto cannot_observe;
      estimated = d->type->estimated;
      log_prob = d->type->log_prob(cx_, d, R[ip->c]);
      if (CHANCEL_UNLIKELY(log_prob == -INFINITY)) {
        const std::uint64_t given = R[ip->c].bits;
        if (!(ensure_realised(cx_, dist) && ensure_realised(cx_, R[ip->c]))) {
          live = std::max<std::uint32_t>({ip->b + 1u, ip->c + 1u, ext_site(*pc).live});
          goto native_status;
        }
        if (dist.o != d || R[ip->c].bits != given)  // they hold now what the world knew
          log_prob = dist.as<Dist>()->type->log_prob(cx_, dist.as<Dist>(), R[ip->c]);
        if (log_prob == -INFINITY) log_prob = score_equivalent(cx_, dist.as<Dist>(), R[ip->c]);
        if (!cx_.ok()) {
          live = std::max<std::uint32_t>({ip->b + 1u, ip->c + 1u, ext_site(*pc).live});
          nd = nullptr;
          goto native_status;
        }
      }
    } else {
      if (dist.tag != Tag::Record) goto not_a_distribution;
      goto observe_record;
    }
    ++pc;
    out.dist = out.value = out.id = Value::nil();
    if (CHANCEL_UNLIKELY(log_prob == -INFINITY)) {
      out.dist = dist;
      out.value = R[ip->c];
    }
    goto observed;
  }
  op_ObserveDirect : {
    if (CHANCEL_UNLIKELY(skips_observes)) goto observe_skipped;
    const auto* type = reinterpret_cast<const DistType*>(word_of(pc[1]));
    --fuel;
    at = pc - 1;
    const Value& x_value = R[ip->b + ip->c];
    if constexpr (kSymbolic) {
      v = cx_.symbolic->construct(cx_, type, R + ip->b, ip->c);
      live = std::max<std::uint32_t>(ip->b + ip->c + 1u, ext_site(*pc).live);
      nd = nullptr;
      if (!cx_.ok()) goto native_status;
      pair[0] = x_value;
      goto observe_recorded;
    }
    if (CHANCEL_UNLIKELY(!type->log_prob_direct ||
                         !type->log_prob_direct(R + ip->b, ip->c, x_value, &log_prob))) {
      v = type->construct(cx_, R + ip->b, ip->c);
      if (!cx_.ok()) {
        live = static_cast<std::uint32_t>(ip->b + ip->c + 1);
        nd = nullptr;
        goto native_status;
      }
      if (CHANCEL_UNLIKELY(!type->log_prob)) goto cannot_observe;
      log_prob = type->log_prob(cx_, v.as<Dist>(), x_value);
    }
    if (CHANCEL_UNLIKELY(log_prob == -INFINITY)) {
      bool changed = false;  // they hold now what the world knew
      for (std::uint32_t k = 0; k <= ip->c; ++k) {
        const std::uint64_t given = R[ip->b + k].bits;
        if (!ensure_realised(cx_, R[ip->b + k])) {
          live = std::max<std::uint32_t>(ip->b + ip->c + 1u, ext_site(*pc).live);
          goto native_status;
        }
        changed = changed || R[ip->b + k].bits != given;
      }
      // The object also reports to the engine what was impossible.
      v = type->construct(cx_, R + ip->b, ip->c);
      if (changed && type->log_prob) log_prob = type->log_prob(cx_, v.as<Dist>(), x_value);
      if (log_prob == -INFINITY) log_prob = score_equivalent(cx_, v.as<Dist>(), x_value);
      if (!cx_.ok()) {
        live = std::max<std::uint32_t>(ip->b + ip->c + 1u, ext_site(*pc).live);
        nd = nullptr;
        goto native_status;
      }
    }
    estimated = false;
    pc += 2;
    out.dist = out.value = out.id = Value::nil();
    if (CHANCEL_UNLIKELY(log_prob == -INFINITY)) {
      out.dist = v;
      out.value = x_value;
    }
    goto observed;
  }
  observe_skipped:
    --fuel;
    R[ip->a] = Value::nil();
    pc += op_words(ip->op);
    NEXT;
  observe_recorded:
    __attribute__((unused));
    {  // v = the distribution, pair[0] = the value; at, live
      if (!cx_.symbolic->observe(cx_, v, pair[0], ext_site(at[1]).site, &log_prob))
        goto native_status;
      pc = at + 1 + op_words(ip->op);
      estimated = delays && delay_->estimated();
      out.dist = out.value = out.id = Value::nil();
      if (CHANCEL_UNLIKELY(delays && log_prob == -INFINITY)) {
        out.dist = cx_.symbolic->present(cx_, v);
        out.value = cx_.symbolic->present(cx_, pair[0]);
      }
      goto observed;
    }
  observed : {  // log_prob, estimated; out.dist and out.value
    const SiteWord site = ext_site(at[1]);
    R[ip->a] = Value::nil();
    if (CHANCEL_UNLIKELY(!(log_prob < INFINITY))) {
      v = Value::real(log_prob);
      goto bad_weight;
    }
    if (CHANCEL_UNLIKELY(outside)) {  // at top level it is the log-probability, as in old Anglican
      if (cx_.in_query) goto observe_outside;
      R[ip->a] = Value::real(log_prob);
      NEXT;
    }
    if (stop_observes || log_prob == -INFINITY) {
      out.log_prob = log_prob;
      out.estimated = estimated;
      out.site = site.site;
      live = site.live;
      dst = ip->a;
      out.kind = stop_observes ? Stop::Observe : Stop::Impossible;
      goto suspend;
    }
    if (CHANCEL_UNLIKELY(estimated)) estimated_site = site.site + 1;
    observed = true;
    log_weight += log_prob;
    if (scores) scores->push_back(log_prob);
    NEXT;
  }
  op_Predict : {
    if constexpr (kSymbolic) {
      v = cx_.symbolic->pin(cx_, R[ip->a]);
      IF_ANSWERED;
      R[ip->a] = v;
    }
    if (CHANCEL_UNLIKELY(!(ensure_realised(cx_, R[ip->a]) && ensure_realised(cx_, R[ip->b])))) {
      at = pc - 1;
      live = ip->c;
      goto native_status;
    }
    auto* p = arena.make<Predicts>(Tag::Predicts);
    p->previous = predicts_;
    p->label = R[ip->a];
    p->value = R[ip->b];
    predicts_ = p;
    NEXT;
  }

    // --- control ---
  op_Catch:
    if constexpr (kSymbolic) {
      v = cx_.symbolic->pin(cx_, R[ip->b]);
      IF_ANSWERED;
      R[ip->b] = v;
    }
    w = R + ip->b + 1;
    n = 0;
    dst = ip->a;
    kind = FrameKind::Catch;
    at = pc - 1;
    goto do_call;
  op_Try:
    w = R + ip->b + 3;
    w[0] = R[ip->b];
    n = 0;
    dst = ip->a;
    kind = FrameKind::Try;
    at = pc - 1;
    goto do_call;
  op_Throw : {
    at = pc - 1;
    if constexpr (kSymbolic) {
      v = cx_.symbolic->pin(cx_, R[ip->a]);
      IF_ANSWERED;
      R[ip->a] = v;
    }
    Registers r{code, pc, R, ct, dst, kind, nullptr, 0};
    s.call_top = ct;
    if (unwind_to_tag(r, s, R[ip->a], R[ip->b])) {
      code = r.code;
      pc = r.pc;
      R = r.base;
      ct = r.call_top;
      NEXT;
    }
    const auto pair = [&](Value map, const char* key, const Value& value) {
      return map_assoc(arena, map, Value::keyword(intern(key)), value);
    };
    v = pair(empty_map(arena), "error-type", Value::keyword(intern("anglican-uncaught-throw")));
    v = pair(pair(v, "throw-tag", R[ip->a]), "value", R[ip->b]);
    cx_.failure = {Code::R008,
                   fmt::format("throw: no catch for the tag {}; the value thrown is {}",
                               show(R[ip->a]), show(R[ip->b], true, 200)),
                   "", -1, v};
    goto raise_failure;
  }
  op_ThrowException:
    at = pc - 1;
    if constexpr (kSymbolic)
      if (R[ip->a].tag == Tag::Node) {
        v = cx_.symbolic->pin(cx_, R[ip->a]);
        IF_ANSWERED;
        R[ip->a] = v;
      }
    v = R[ip->a];
    goto raise_value;
  op_SetGlobal:
    if (CHANCEL_UNLIKELY(cx_.in_query)) {
      at = pc - 1;
      cx_.failure = {Code::F010, "def: a query cannot define global names",
                     "use let for a local name, or store and retrieve", -1, Value::nil()};
      goto raise_failure;
    }
    globals[ip->wide()] = R[ip->a];
    NEXT;

    // --- steps of stub frames ---
  op_MemoStore:
    memo_store(cx_, R[ip->a], R[ip->b], R[ip->c]);
    NEXT;
  op_ObserveScore : {
    at = pc - 1;
    if constexpr (kSymbolic) {
      if (R[ip->a].tag == Tag::Node || plain_number(R[ip->a])) {
        double present = 0;
        if (!cx_.symbolic->score(cx_, R[ip->a], static_cast<std::uint32_t>(R[ip->b].i), &present))
          goto control_status;
        R[ip->a] = Value::real(present);
      }
    }
    if (R[ip->a].is_object() && R[ip->a].is_number()) R[ip->a] = Value::real(to_double(R[ip->a]));
    if (!plain_number(R[ip->a])) {
      cx_.failure = {Code::R001,
                     fmt::format("observe* of {} must give a number, got {}",
                                 R[ip->c].as<Record>()->type->name->full, describe(R[ip->a])),
                     "", -1, Value::nil()};
      goto raise_failure;
    }
    const double log_prob = plain_double(R[ip->a]);
    R[ip->a] = Value::nil();
    if (!(log_prob < INFINITY)) {
      v = Value::real(log_prob);
      goto bad_weight;
    }
    if (outside) {
      if (cx_.in_query) goto observe_outside;
      R[ip->a] = Value::real(log_prob);
      NEXT;
    }
    if (stop_observes || log_prob == -INFINITY) {
      out.dist = out.value = out.id = Value::nil();
      out.log_prob = log_prob;
      out.estimated = false;
      out.site = static_cast<std::uint32_t>(R[ip->b].i);
      live = ip->a + 1u;
      dst = ip->a;
      out.kind = stop_observes ? Stop::Observe : Stop::Impossible;
      goto suspend;
    }
    log_weight += log_prob;
    if (scores) scores->push_back(log_prob);
    NEXT;
  }
  op_LazyStore : {
    Value value = R[ip->b];
    if (value.tag == Tag::LazySeq && R[ip->a].tag == Tag::LazySeq) {
      Value inner;
      if (!lazy_value(cx_, value.as<LazySeq>(), &inner)) {
        at = pc - 1;
        live = ip->b + 1u;
        cx_.needed = value;
        cx_.status = NativeContext::Status::NeedOne;
        goto native_status;
      }
      value = inner;
    }
    if (R[ip->a].tag == Tag::LazySeq) {
      value = seq(cx_, value);
      if (!cx_.ok()) {
        at = pc - 1;
        live = ip->b + 1u;
        goto native_status;
      }
    }
    lazy_store(cx_, R[ip->a], value);
    NEXT;
  }
  op_ReturnRetry:
    if (ct > ct_base) {
      --ct;
      R = ct->base;
      code = ct->code;
      pc = ct->pc;
    } else {
      THAW(s.below);
    }
    NEXT;
  op_ForceNext : {
    Value cell = R[ip->a];
    for (std::uint32_t steps = 0;; ++steps) {
      if (cell.tag == Tag::Cons) {
        Object* o = cell.as<Cons>()->rest;
        cell = o ? Value::object(o) : Value::nil();
      } else if (cell.tag == Tag::LazySeq) {
        Value value;
        if (!lazy_value(cx_, cell.as<LazySeq>(), &value)) {
          R[ip->a] = cell;
          at = pc - 1;
          live = ip->b + 1u;
          cx_.needed = cell;
          cx_.status = NativeContext::Status::NeedOne;
          goto native_status;
        }
        cell = value;
      } else if (R[ip->b].tag == Tag::Cons) {
        const auto* list = R[ip->b].as<Cons>();
        cell = list->first;
        R[ip->b] = list->rest ? Value::object(list->rest) : Value::nil();
      } else {
        break;
      }
    }
    NEXT;
  }
  op_Exit:
    if (!outside && !ensure_realised(cx_, R[ip->a])) {  // of a query: it leaves the execution
      at = pc - 1;
      live = ip->a + 1u;
      goto native_status;
    }
    if (delays && !outside) {  // what is still put off leaves the execution
      at = pc - 1;
      live = ip->a + 1u;
      if (!draw_outputs(&R[ip->a])) goto native_status;
    }
    out.kind = Stop::Result;
    out.value = R[ip->a];
    out.dist = out.id = Value::nil();
    x.top = nullptr;
    x.world = cx_.world;
    x.predicts = predicts_;
    x.applications = applications + static_cast<std::uint64_t>(kFuel - fuel);
    return;

    // ================= slow paths =================
  suspend : {
    Frame* below = s.below;
    for (Call* c = ct_base; c < ct; ++c) {
      const Value* next = c + 1 < ct ? (c + 1)->base : R;
      below = freeze(arena, below, c->code, c->pc, c->dst, c->kind, c->base - 1,
                     static_cast<std::uint32_t>(next - c->base));
    }
    x.top = freeze(arena, below, code, pc, dst, FrameKind::Normal, R - 1, live + 1);
  }
    x.world = cx_.world;
    x.predicts = predicts_;
    x.applications = applications + static_cast<std::uint64_t>(kFuel - fuel);
    return;

  first_draw:  // executions are to resume from here; live = end of the operands
    ++fuel;
    pc = ip;
    hold_first_draw(s, ct, code, pc, R, std::max<std::uint32_t>(live, ext_site(pc[1]).live),
                    applications - x.applications + static_cast<std::uint64_t>(kFuel - fuel));
    look_at_samples = false;
    NEXT;

  sample_recorded:
    __attribute__((unused));
    {  // v = the distribution, at = the instruction
      const SiteWord site = ext_site(at[1]);
      if (v.tag == Tag::Node) {
        v = cx_.symbolic->distribution(cx_, v);
        if (!cx_.ok()) goto native_status;
      }
      const bool own = v.tag != Tag::Dist && v.tag != Tag::Node;
      if (own && !is_record_dist(v)) goto not_a_distribution;
      if (delays) {
        live = std::max<std::uint32_t>(live, site.id_register);
        Value id = Value::nil();
        if (site.id_register) {
          id = cx_.symbolic->pin(cx_, R[site.id_register - 1]);
          if (!cx_.ok()) goto native_status;
          R[site.id_register - 1] = id;
        }
        if (own || nested) {
          v = cx_.symbolic->pin(cx_, v);
          if (own && cx_.ok()) delay_->draw_for_methods(cx_, v);
        } else if (delay_->put_off(cx_, &v, site.site, id)) {
          pc = at + 1 + op_words(ip->op);
          R[ip->a] = v;
          NEXT;
        }
        if (!cx_.ok()) goto native_status;
        goto sample_slow;
      }
      pc = at + 1 + op_words(ip->op);
      Value drawn = Value::nil();
      if (own) {
        const Value plain = cx_.symbolic->present(cx_, v);
        const World* world = cx_.world;
        if (!cx_.ok()) goto native_failed;
        if (!draw(plain, &drawn)) goto nested_failed;
        if (cx_.world != world) cx_.symbolic->pin(cx_, v);  // it remembers what it has seen
        if (!cx_.ok()) goto native_failed;
      }
      const Value distribution = v;
      const RecordedSample sampled = recorder_->sample(
          cx_, v, site.site, site.id_register ? R[site.id_register - 1] : Value::nil(),
          own ? &drawn : nullptr);
      if (!cx_.ok()) goto native_failed;
      if (sampled.scoring) {
        Value log_prob = Value::nil();
        const bool scored = call_score(distribution, sampled.value, &log_prob);
        sampled.scoring->draw_score(log_prob);
        if (!scored) goto nested_failed;
      }
      R[ip->a] = sampled.value;
      NEXT;
    }

  sample_slow : {  // v = the distribution, at = the instruction
    const SiteWord site = ext_site(at[1]);
    const int words = op_words(ip->op);
    if (v.tag != Tag::Dist && !is_record_dist(v)) goto not_a_distribution;
    if (stop_samples) {
      pc = at + 1 + words;
      out.kind = Stop::Sample;
      out.dist = v;
      out.value = Value::nil();
      out.site = site.site;
      out.id = site.id_register ? R[site.id_register - 1] : Value::nil();
      live = site.live;
      dst = ip->a;
      goto suspend;
    }
    pc = at + 1 + words;
    dst = ip->a;
    Value drawn;
    if (v.tag == Tag::Dist) {
      drawn = v.as<Dist>()->type->sample(cx_, v.as<Dist>(), stream);
      if (!cx_.ok()) goto native_failed;
    } else if (!draw(v, &drawn)) {
      goto nested_failed;
    }
    R[dst] = drawn;
    NEXT;
  }

  observe_record : {  // observe* of the program's own distribution is called like any function
    const Value dist = R[ip->b];
    const Value* method = find_method(globals, dist, "observe*");
    if (!method) {
      cx_.failure = {Code::R011,
                     fmt::format("{} has no observe* method, so it cannot be observed",
                                 dist.as<Record>()->type->name->full),
                     "", 0, Value::nil()};
      goto raise_failure;
    }
    const Value observed = R[ip->c];
    const SiteWord site = ext_site(*pc);
    ++pc;
    w = R + std::max<std::uint32_t>(site.live, ip->a + 1u);
    w[0] = Value::nil();
    w[1] = Value::integer(site.site);
    w[2] = dist;
    w[3] = *method;
    w[4] = dist;
    w[5] = observed;
    *ct++ = {code, pc, R, ip->a, FrameKind::Normal};
    code = observe_stub();
    n = 6;
    goto enter_stub;
  }
  enter_stub:  // a frame of n slots stands at w, the caller is on the stack, code is the stub
    R = w + 1;
    pc = code->instrs.data();
    if (R + code->frame_size >= s.end) {
      freeze_callers(s, ct, R);
      ct = ct_base;
      std::memmove(static_cast<void*>(bottom), static_cast<const void*>(R - 1), n * sizeof(Value));
      R = bottom + 1;
    }
    NEXT;

  entry_slow:  // at the entry of a function: stack overflow, fuel or collection
    live = code->params + (code->variadic ? 1u : 0u);
    if (!kSymbolic && hot && !alarm_ &&
        (fuel <= 0 || code->entry_size.load(std::memory_order_relaxed) != code->frame_size)) {
      HotRun h{cx_, globals, &alarm_, applications + static_cast<std::uint64_t>(kFuel - fuel)};
      if (hot->call(code, R, fuel <= 0, h, &v)) {
        applications = h.applications - static_cast<std::uint64_t>(kFuel - fuel);
        R[0] = v;
        from = R;
        goto do_return;
      }
    }
    if (R + code->frame_size >= s.end) {
      freeze_callers(s, ct, R);
      ct = ct_base;
      std::memmove(static_cast<void*>(bottom), static_cast<const void*>(R - 1),
                   (live + 1) * sizeof(Value));
      R = bottom + 1;
      if (s.below && cx_.run && s.below->depth > cx_.run->limits->max_depth) {
        cx_.failure = {
            Code::L003,
            fmt::format("calls are nested more than {} deep", cx_.run->limits->max_depth),
            "raise --max-depth, or use loop/recur", -1, Value::nil()};
        at = pc;
        goto hard_failure;
      }
    }
  safe_point:  // pc = where to continue, live = registers in use
    if (fuel <= 0) {
      applications += static_cast<std::uint64_t>(full - fuel);
      fuel = full;
      if (!check_limits()) {
        at = pc;
        goto hard_failure;
      }
    }
    if (alarm_) {
      s.call_top = ct;
      collect(s, R + live, nested);
    }
    if (!kSymbolic && hot && fuel == full && ip->op == Op::LoopJump) {
      HotRun h{cx_, globals, &alarm_, applications + static_cast<std::uint64_t>(kFuel - full)};
      const Instr* const next = hot->loop(code, pc, R, h);
      if (next) {
        applications = h.applications - static_cast<std::uint64_t>(kFuel - full);
        if (next == pc) {  // it has not ended: asked again at the next turn
          applications -= static_cast<std::uint64_t>(full - 1);
          fuel = 1;
        }
        pc = next;
      }
    }
    NEXT;

  call_other:
    switch (w->tag) {
      case Tag::Native:
        nd = w->native;
        if (CHANCEL_UNLIKELY(nd == nullptr)) {
          cx_.failure = {Code::R015, "this name is declared but has no value yet", "", -1,
                         Value::nil()};
          goto raise_failure;
        }
        if (CHANCEL_UNLIKELY(static_cast<int>(n) < nd->min_args ||
                             (nd->max_args >= 0 && static_cast<int>(n) > nd->max_args)))
          goto arity_error;
        cx_.callee = nd;
        v = CALL_NATIVE(w + 1, n);
        if (CHANCEL_UNLIKELY(!cx_.ok())) {
          live = static_cast<std::uint32_t>(w + 1 + n - R);
          goto native_status;
        }
        R[dst] = v;
        NEXT;
      case Tag::Memo: {
        for (std::uint32_t k = 1; k <= n; ++k) {
          live = static_cast<std::uint32_t>(w + 1 + n - R);
          if constexpr (kSymbolic) {
            v = cx_.symbolic->pin(cx_, w[k]);
            if (!cx_.ok()) goto native_status;
            w[k] = v;
          }
          if (CHANCEL_UNLIKELY(!ensure_realised(cx_, w[k]))) goto native_status;
        }
        Value key;
        if (memo_find(cx_, *w, w + 1, n, &key, &v)) {
          R[dst] = v;
          NEXT;
        }
        const Value memo = *w;
        const Value args = make_list(arena, w + 1, n);
        *ct++ = {code, pc, R, dst, kind};
        w[0] = Value::nil();
        w[1] = memo;
        w[2] = key;
        w[3] = memo.as<Memo>()->function;
        w[4] = args;
        code = memo_stub();
        n = 5;
        goto enter_stub;
      }
      case Tag::Record:
        if (const Value* procedure = callable_field(*w)) {
          *w = *procedure;
          goto do_call;
        }
        [[fallthrough]];
      default:
        if constexpr (kSymbolic) {
          live = static_cast<std::uint32_t>(w + 1 + n - R);
          if (w->tag == Tag::Node) {
            v = cx_.symbolic->callee(cx_, *w);
            if (!cx_.ok()) goto native_status;
            *w = v;
            if (w->tag != Tag::Node) {
              ++fuel;
              goto do_call;
            }
          }
          v = cx_.symbolic->call_data(cx_, call_data, *w, w + 1, n);
        } else {
          v = call_data(cx_, *w, w + 1, n);
        }
        if (CHANCEL_UNLIKELY(!cx_.ok())) {
          live = static_cast<std::uint32_t>(w + 1 + n - R);
          goto native_status;
        }
        R[dst] = v;
        NEXT;
    }

  do_apply : {  // w[0] = function, w[1] = list of arguments
    if constexpr (kSymbolic)
      for (const int k : {0, 1})
        if (w[k].tag == Tag::Node) {
          live = static_cast<std::uint32_t>(w + 2 - R);
          v = cx_.symbolic->pin(cx_, w[k]);
          if (!cx_.ok()) goto native_status;
          w[k] = v;
        }
    Value f = w[0];
    Value list = w[1];
    live = static_cast<std::uint32_t>(w + 2 - R);
    if (f.tag == Tag::Record)
      if (const Value* procedure = callable_field(f)) f = *procedure;
    if (f.tag == Tag::Closure) {
      // Fixed parameters are taken off the list; the rest parameter gets what is left without copying
      // it.
      const FunctionProto* proto = proto_of(f.as<Closure>());
      std::uint32_t most = 0;
      const CodeBlock* variadic = nullptr;
      for (const auto& c : proto->arities) {
        most = std::max<std::uint32_t>(most, c->params);
        if (c->variadic) variadic = c.get();
      }
      if (w + most + 8 >= s.end + 48) goto apply_spread;
      std::uint32_t taken = 0;
      Value at_list = seq(cx_, list);
      if (!cx_.ok()) goto native_status;
      Value items[64];
      while (taken < most + 1 && taken < 63 && !at_list.is_nil()) {
        items[taken] = first(cx_, at_list);
        if (cx_.ok() && taken < most) at_list = next(cx_, at_list);
        if (!cx_.ok()) goto native_status;
        if (taken == most) break;  // one more than any fixed parameter list: left in at_list
        ++taken;
      }
      const bool more = !at_list.is_nil();
      if (!more) {
        n = taken;
        w[0] = f;
        for (std::uint32_t k = 0; k < n; ++k) w[1 + k] = items[k];
        if (ip->op == Op::TailApply) goto tail_closure;
        goto do_call;
      }
      if (!variadic) {
        w[0] = f;
        n = static_cast<std::uint32_t>(count(cx_, list));
        if (!cx_.ok()) goto native_status;
        goto arity_error;
      }
      --fuel;
      // rebuild the tail that starts after the variadic arity's fixed parameters
      Value tail = at_list;
      for (std::uint32_t k = taken; k > variadic->params; --k)
        tail = cons(arena, items[k - 1], tail);
      w[0] = f;
      for (std::uint32_t k = 0; k < variadic->params; ++k) w[1 + k] = items[k];
      w[1 + variadic->params] = tail;
      if (ip->op == Op::TailApply) {
        for (std::uint32_t k = 0; k < variadic->params + 2u; ++k)
          R[static_cast<std::ptrdiff_t>(k) - 1] = w[k];
      } else {
        *ct++ = {code, pc, R, dst, kind};
        R = w + 1;
      }
      code = variadic;
      pc = variadic->instrs.data();
      if (CHANCEL_UNLIKELY(R + code->entry_size.load(std::memory_order_relaxed) >= s.end ||
                           fuel <= 0 || alarm_))
        goto entry_slow;
      NEXT;
    }
  apply_spread:
    w[0] = f;
    switch (apply_other(cx_, w, list, &v, &n)) {
      case Applied::Value:
        --fuel;
        R[dst] = v;
        NEXT;
      case Applied::Spread:
        goto do_call;
      case Applied::Arity:
        goto arity_error;
      case Applied::Status:
        goto native_status;
    }
  }

  control_status:  // the same where no instruction says which registers are live
    live = live_at(*code, at);
  native_status:  // a native failed or needs a sequence realised; at, live are set
    if (cx_.status == NativeContext::Status::Failed) goto native_failed;
    if (cx_.status == NativeContext::Status::NeedDraw) {
      if (at->op == Op::ReduceVector && pc == at) --R[at->a + 3].i;  // the call of its function
      cx_.status = NativeContext::Status::Ok;
      out.kind = Stop::Sample;
      out.dist = delay_->wanted().distribution;
      out.id = delay_->wanted().id;
      out.site = delay_->wanted().site;
      out.value = Value::nil();
      pc = at;
      dst = kNoDestination;
      goto suspend;
    }
    if (cx_.status == NativeContext::Status::Delegate) {
      cx_.status = NativeContext::Status::Ok;
      w = R + live;
      n = cx_.delegated_count;
      copy_values(w, cx_.delegated, n + 1);
      if (at->op == Op::Native || at->op == Op::Native1 || at->op == Op::Native2) {
        dst = at->a;
        kind = FrameKind::Normal;
      }
      goto do_call;
    }
    if (at->op == Op::ReduceVector) --R[at->a + 3].i;  // the call is made again for the same item
    if (cx_.status == NativeContext::Status::Noted) {
      cx_.status = NativeContext::Status::Ok;
      s.call_top = ct;
      note_at(code, at, s, R);
      cx_.set_noted();
      pc = at;
      NEXT;
    }
    {
      const bool whole = cx_.status == NativeContext::Status::NeedAll;
      cx_.status = NativeContext::Status::Ok;
      Value cell = cx_.needed;
      Value more = Value::nil();
      if (cell.tag == Tag::Cons) {
        if (Object* rest = cell.as<Cons>()->rest) more = Value::object(rest);
        cell = cell.as<Cons>()->first;
      }
      Value thunk = cell.as<LazySeq>()->value;
      if (CHANCEL_UNLIKELY(cx_.in_query && cell.as<LazySeq>()->state == LazySeq::kDraws)) {
        cx_.failure = {Code::R014,
                       "this lazy value was made outside the query and draws random numbers: each "
                       "execution would draw its own",
                       "evaluate it first, for example (def xs (doall (take 1000 xs)))", -1,
                       Value::nil()};
        goto raise_failure;
      }
      if (!whole && (thunk.tag == Tag::Foreign || thunk.tag == Tag::Vector)) {
        Value item;
        Value realised = Value::nil();
        HostServices* const services = services_of(cx_.run);
        if (services && services->next_of_stream(cx_, thunk, &item)) {
          auto* more = arena.make<LazySeq>(Tag::LazySeq);
          more->state = LazySeq::kWaiting;
          more->id = top_level_id();
          more->value = thunk;
          realised = cons(arena, item, Value::object(more));
        } else if (!cx_.ok()) {
          goto native_failed;
        }
        lazy_store(cx_, cell, realised);
        pc = at;
        NEXT;
      }
      w = R + live;
      w[0] = Value::nil();
      w[1] = cell;
      w[2] = whole ? more : thunk;
      *ct++ = {code, at, R, static_cast<std::uint16_t>(kNoDestination), FrameKind::Retry};
      code = whole ? force_all_stub() : force_one_stub();
      n = 3;
      goto enter_stub;
    }

  arity_error:
    if (!cx_.in_query && ip->op != Op::Apply && ip->op != Op::TailApply &&
        takes_continuation(w, n)) {
      const Value function = w[0], continuation = w[1], state = w[2];
      const Value args = make_list(arena, w + 3, n - 2);
      *ct++ = {code, pc, R, dst, kind};
      w[0] = Value::nil();
      w[1] = state;
      w[2] = continuation;
      w[3] = function;
      w[4] = args;
      code = continuation_stub();
      n = 5;
      goto enter_stub;
    }
    cx_.failure = arity_failure(*w, n);
    goto raise_failure;
  unbound_global:
    cx_.failure = {Code::R015, fmt::format("{} has no value yet", program.global_name(n)->full),
                   "define it before it is used", -1, Value::nil()};
    goto raise_failure;
  not_a_distribution:
    cx_.failure = {
        Code::R010,
        fmt::format("{}: expected a distribution, got {}",
                    ip->op == Op::Observe || ip->op == Op::ObserveDirect ? "observe" : "sample",
                    describe(ip->op == Op::Observe ? R[ip->b] : v)),
        "", 0, Value::nil()};
    goto raise_failure;
  cannot_observe:
    cx_.failure = {Code::R011, "observe: this distribution can be sampled but not observed", "", 0,
                   Value::nil()};
    goto raise_failure;
  observe_outside:
    cx_.failure = {Code::R014, "observe: reached outside inference",
                   "put it into a query and run that with doquery or chancel infer", -1,
                   Value::nil()};
    goto raise_failure;
  bad_weight:                           // v = the log-probability
    if (!cx_.ok()) goto native_failed;  // the distribution says why
    cx_.failure = {Code::R012,
                   std::isnan(v.d)
                       ? "observe: the log-probability is not a number"
                       : "observe: the density is infinite, so the weights cannot be compared",
                   "", -1, Value::nil()};
    goto raise_failure;
  native_failed:
    cx_.status = NativeContext::Status::Ok;
  raise_failure:  // cx_.failure at `at`
    s.call_top = ct;
    fail_at(code, at, s, R);
  nested_failed:  // failure_ is complete
    s.call_top = ct;
    if (is_limit(failure_.code) || !has_handler(s)) {
      out.kind = Stop::Failed;
      goto leave_failed;
    }
    v = exception_value();
  raise_value : {  // v = an exception value; find its handler
    s.call_top = ct;
    Registers r{code, pc, R, ct, 0, FrameKind::Normal, nullptr, 0};
    if (has_handler(s) && unwind(r, s, v)) {
      code = r.code;
      pc = r.pc;
      R = r.base;
      ct = r.call_top;
      w = r.window;
      n = r.count;
      dst = r.dst;
      kind = r.kind;
      at = pc - 1;
      goto do_call;
    }
    fail_with_exception(code, at, s, R, v);
    out.kind = Stop::Failed;
    goto leave_failed;
  }
  hard_failure:  // limits: no handler may catch these
    s.call_top = ct;
    fail_at(code, at, s, R);
    out.kind = Stop::Failed;
  leave_failed:
    out.dist = out.value = out.id = Value::nil();
    x.top = nullptr;
    x.world = cx_.world;
    x.predicts = predicts_;
    x.applications = applications + static_cast<std::uint64_t>(kFuel - fuel);
    return;
  } catch (
      ...) {  // a limit that a native or an allocation has met: no handler of the program sees it
    s.call_top = ct;
    fail_where_thrown(code, pc, s, R);
    out = {};
    x.top = nullptr;
    x.world = cx_.world;
    x.predicts = predicts_;
    x.applications = applications + static_cast<std::uint64_t>(kFuel - fuel);
  }
#undef SLOW
#undef THAW
#undef NEXT
#undef CALL_NATIVE
#undef IF_ANSWERED
}

template void Machine::run_loop<false>(Stack&, Execution&, const Value&, Entry, Checkpoint&);
template void Machine::run_loop<true>(Stack&, Execution&, const Value&, Entry, Checkpoint&);

}  // namespace chancel
