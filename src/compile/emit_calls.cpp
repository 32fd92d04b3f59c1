// SPDX-License-Identifier: Apache-2.0
// See function_emitter.hpp: calls. Functions of the library become instructions of their own where
// there are some (operators.hpp).
#include <algorithm>

#include "compile/function_emitter.hpp"
#include "compile/operators.hpp"

namespace chancel {

using namespace core;

namespace {

const Name* apply_name() {
  static const Name* const name = intern("apply");
  return name;
}

}  // namespace

const NativeDef* FunctionEmitter::native_callee(Node* function) {
  if (function->kind != Kind::Global) return nullptr;
  const Library::Meaning m = unit_.library.resolve(static_cast<Global*>(function)->name);
  return m.kind == Library::Meaning::Native ? m.native : nullptr;
}

bool FunctionEmitter::takes(const NativeDef* def, std::size_t n) {
  return static_cast<int>(n) >= def->min_args &&
         (def->max_args < 0 || static_cast<int>(n) <= def->max_args);
}

void FunctionEmitter::call(core::Call* c, std::uint32_t dst, bool tail) {
  if (const NativeDef* def = native_callee(c->function)) {
    if (takes(def, c->args.size()) && !(def->flags & kTopLevelOnly)) {
      native_call(def, c, dst, tail);
      finish(dst, tail, c->span);
      return;
    }
  }
  if (c->function->kind == Kind::Global) {
    const Name* name = static_cast<Global*>(c->function)->name;
    if (name == apply_name() && c->args.size() >= 2 && unit_.program.find_global(name) < 0) {
      apply(c, dst, tail);
      return;
    }
  }
  // A call of the library keeps its caller's frame, so that its messages can point at the user's
  // text. (The library calls back, but does not recurse through tail calls of the user.)
  const bool returns = tail;
  if (tail && c->function->kind == Kind::Global &&
      unit_.library.resolve(static_cast<Global*>(c->function)->name).library)
    tail = false;
  const std::uint32_t base = top_;
  const bool simple_args = std::all_of(c->args.begin(), c->args.end(), [](Node* a) {
    return a->kind == Kind::Const || a->kind == Kind::Local;
  });
  bool by_global = false;
  std::uint32_t variable = 0;
  if (c->function->kind == Kind::Global && simple_args && !tail) {
    const Library::Meaning m = unit_.library.resolve(static_cast<Global*>(c->function)->name);
    if (m.kind == Library::Meaning::Variable) {
      by_global = true;
      variable = m.variable;
    }
  }
  if (by_global)
    note(base);
  else
    expr(c->function, base, false);
  top_ = base + 1;
  for (Node* arg : c->args) {
    const std::uint32_t r = top_;
    expr(arg, r, false);
    top_ = r;
    push();
  }
  note(top_ + 4);  // room for stub frames
  const auto n = static_cast<std::uint32_t>(c->args.size());
  const std::size_t at = emit(tail        ? Op::TailCall
                              : by_global ? Op::CallGlobal
                                          : Op::Call,
                              dst, base, n, c->span);
  argument_spans(at, c->args);
  if (by_global) word(instr_of(variable), c->span);
  top_ = base;
  finish(dst, returns, c->span);
}

bool FunctionEmitter::in_registers(const std::vector<Node*>& nodes, std::uint32_t count,
                                   std::uint32_t first) const {
  for (std::uint32_t k = 0; k < count; ++k) {
    if (nodes[k]->kind != Kind::Local) return false;
    const auto it = registers_.find(static_cast<Local*>(nodes[k])->binding);
    if (it == registers_.end() || it->second != first + k) return false;
  }
  return true;
}

void FunctionEmitter::apply(core::Call* c, std::uint32_t dst, bool tail) {
  const std::uint32_t base = top_;
  expr(c->args[0], base, false);
  top_ = base + 1;
  if (c->args.size() == 2) {
    expr(c->args[1], top_, false);
  } else {
    const std::uint32_t window = top_;
    for (std::size_t k = 1; k < c->args.size(); ++k) {
      const std::uint32_t r = top_;
      expr(c->args[k], r, false);
      top_ = r;
      push();
    }
    emit(Op::Native, window, window, static_cast<std::uint32_t>(c->args.size() - 1), c->span);
    native_word(unit_.library.native("list*"), c->span);
  }
  top_ = base + 2;
  note(top_ + static_cast<std::uint32_t>(kMaxParameters));
  const std::size_t at = emit(tail ? Op::TailApply : Op::Apply, dst, base, 0, c->span);
  argument_spans(at, c->args);
  top_ = base;
  finish(dst, tail, c->span);
}

void FunctionEmitter::native_call(const NativeDef* def, core::Call* c, std::uint32_t dst,
                                  bool tail) {
  const std::uint32_t saved = top_;
  const std::size_t n = c->args.size();
  const std::string_view name = def->name;
  if (n == 4 && name == "%reduce-vector") {  // f, init, vector, first index in one window that
                                             // the instruction owns
    std::uint32_t base = top_;
    // In tail position the variables are not needed any more: when they already stand in order,
    // they are the window. (reduce does that: a shorter frame is frozen at every checkpoint
    // inside f.)
    if (tail && top_ >= 3 && in_registers(c->args, 3, top_ - 3)) {
      base = top_ - 3;
      expr(c->args[3], top_, false);
      push();
    } else {
      arguments(c->args);
    }
    note(top_ + 8);
    const std::size_t at = emit(Op::ReduceVector, base, 0, 0, c->span);
    argument_spans(at, c->args);
    top_ = saved;
    emit(Op::Move, dst, base + 1, 0, c->span);
    return;
  }
  if (n == 0 && (name == "apply-count" || name == "eval-count")) {
    emit(Op::ApplyCount, dst, 0, 0, c->span);
    return;
  }
  if (n == 1 && (name == "inc" || name == "dec")) {
    const std::uint16_t a = operand(c->args[0]);
    const std::size_t at = emit(Op::AddInt, dst, a, name == "inc" ? 1u : 0xffffu, c->span);
    argument_spans(at, c->args);
    native_word(unit_.library.native("+"), c->span);
    top_ = saved;
    return;
  }
  if (n == 2 && (name == "+" || name == "-")) {
    std::int64_t k;
    // Minus zero less zero is not minus zero and zero.
    if (small_constant(c->args[1], &k) && (name == "+" || (k > -32000 && k != 0))) {
      const std::uint16_t a = operand(c->args[0]);
      const std::int64_t added = name == "+" ? k : -k;
      const std::size_t at = emit(Op::AddInt, dst, a, static_cast<std::uint16_t>(added), c->span);
      argument_spans(at, c->args);
      native_word(unit_.library.native("+"), c->span);
      top_ = saved;
      return;
    }
  }
  if (n == 3 && name == "nth" && is_nil(c->args[2])) {  // what destructuring asks for
    std::int64_t k;
    if (small_constant(c->args[1], &k) && k >= 0) {
      const std::uint16_t a = operand(c->args[0]);
      const std::size_t at = emit(Op::NthOrNil, dst, a, static_cast<std::uint16_t>(k), c->span);
      argument_spans(at, c->args);
      native_word(def, c->span);
      top_ = saved;
      return;
    }
  }
  if (n > 2 && is_left_fold(name)) {  // (+ a b c) = (+ (+ a b) c)
    const Op op = *binary_op(name);
    const std::uint16_t a = operand(c->args[0]);
    std::uint16_t left = a;
    for (std::size_t k = 1; k < n; ++k) {
      const std::uint32_t before = top_;
      const std::uint16_t b = operand(c->args[k]);
      const bool last = k + 1 == n;
      const std::uint32_t target = last ? dst : before;
      note(target);
      const std::size_t at = emit(op, target, left, b, c->span);
      argument_spans(at, {c->args[k - 1], c->args[k]});
      native_word(def, c->span);
      top_ = before;
      if (!last) left = push();
    }
    top_ = saved;
    return;
  }
  if (n == 2 && name == "get" && c->args[0]->kind == Kind::Local) {
    const Binding* b = static_cast<Local*>(c->args[0])->binding;
    if (!registers_.contains(b) && b != self_) {
      const std::uint16_t index = capture(b);
      const std::uint16_t key = operand(c->args[1]);
      note(top_ + 4);
      const std::size_t at = emit(Op::GetCaptured, dst, index, key, c->span);
      argument_spans(at, c->args);
      native_word(def, c->span);
      top_ = saved;
      return;
    }
  }
  std::optional<Op> op;
  if (n == 2) op = binary_op(name);
  if (n == 1) op = unary_op(name);
  if (n == 1 && !op) op = Op::Native1;
  if (n == 2 && !op) op = Op::Native2;
  if (op) {
    const std::uint16_t a = operand(c->args[0]);
    const std::uint16_t b = n == 2 ? operand(c->args[1]) : 0;
    const std::size_t at = emit(*op, dst, a, b, c->span);
    argument_spans(at, c->args);
    if (op_words(*op)) {
      note(top_ + 4);
      native_word(def, c->span);
    }
    top_ = saved;
    return;
  }
  const std::uint32_t base = top_;
  note(base);
  for (Node* arg : c->args) {
    const std::uint32_t r = top_;
    expr(arg, r, false);
    top_ = r;
    push();
  }
  note(top_ + 4);
  const std::size_t at = emit(Op::Native, dst, base, static_cast<std::uint32_t>(n), c->span);
  argument_spans(at, c->args);
  native_word(def, c->span);
  top_ = saved;
}

void FunctionEmitter::arguments(const std::vector<Node*>& args) {
  for (Node* arg : args) {
    const std::uint32_t r = top_;
    expr(arg, r, false);
    top_ = r;
    push();
  }
}

}  // namespace chancel
