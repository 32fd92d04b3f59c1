// SPDX-License-Identifier: Apache-2.0
// See function_emitter.hpp: loops, recur, and the jumps of tests.
#include "compile/function_emitter.hpp"
#include "compile/operators.hpp"
#include "core/children.hpp"

namespace chancel {

using namespace core;

namespace {

template <class Test>
bool any_local(Node* root, const Test& test) {
  std::vector<Node*> open = {root};
  while (!open.empty()) {
    Node* node = open.back();
    open.pop_back();
    if (node->kind == Kind::Local && test(static_cast<Local*>(node)->binding)) return true;
    each_child(node, [&](Node* child) { open.push_back(child); });
  }
  return false;
}
bool names_binding(Node* node, const Binding* b) {
  return any_local(node, [&](const Binding* local) { return local == b; });
}

}  // namespace

void FunctionEmitter::loop(Loop* l, std::uint32_t dst, bool tail) {
  LoopState state;
  for (auto& [binding, init] : l->bindings) {
    if (const int own = reusable_register(init, l); own >= 0) {
      registers_[binding] = static_cast<std::uint16_t>(own);
      state.regs.push_back(static_cast<std::uint16_t>(own));
      state.bindings.push_back(binding);
      continue;
    }
    const std::uint32_t r = top_;
    expr(init, r, false);  // a register of its own: recur overwrites it
    top_ = r;
    registers_[binding] = push();
    state.regs.push_back(static_cast<std::uint16_t>(r));
    state.bindings.push_back(binding);
  }
  state.head = here();
  state.top = top_;
  loops_[l] = state;
  expr(l->body, dst, tail);
}

int FunctionEmitter::reusable_register(Node* init, Loop* l) {
  if (init->kind != Kind::Local) return -1;
  const Binding* b = static_cast<Local*>(init)->binding;
  const auto it = registers_.find(b);
  if (body_ != l || it == registers_.end() || it->second >= code_->params ||
      names_binding(l->body, b))
    return -1;
  for (auto& [other, other_init] : l->bindings)
    if (other_init != init && names_binding(other_init, b)) return -1;
  return it->second;
}

void FunctionEmitter::recur(Recur* r) {
  const LoopState& state = loops_.at(r->target);
  const std::size_t n = r->args.size();
  std::vector<int> from(n, -1);  // register to move from; -1 = already in place
  for (std::size_t k = 0; k < n; ++k) {
    Node* arg = r->args[k];
    if (arg->kind == Kind::Local && static_cast<Local*>(arg)->binding == state.bindings[k])
      continue;
    bool needed_later = false;
    for (std::size_t j = k + 1; j < n; ++j)
      needed_later = needed_later || mentions(r->args[j], state.regs[k]);
    if (!needed_later) {
      expr(arg, state.regs[k], false);
    } else {
      const std::uint32_t t = top_;
      expr(arg, t, false);
      top_ = t;
      from[k] = push();
    }
  }
  for (std::size_t k = 0; k < n; ++k)
    if (from[k] >= 0)
      emit(Op::Move, state.regs[k], static_cast<std::uint32_t>(from[k]), 0, r->span);
  emit_wide(Op::LoopJump, state.top,
            static_cast<std::int64_t>(state.head) - static_cast<std::int64_t>(here()) - 1, r->span);
}

bool FunctionEmitter::mentions(Node* node, std::uint16_t reg) {
  return any_local(node, [&](const Binding* local) {
    const auto it = registers_.find(local);
    return it != registers_.end() && it->second == reg;
  });
}

std::size_t FunctionEmitter::jump_unless(Node* test) {
  const std::uint32_t saved = top_;
  if (fuse_ && test->kind == Kind::Call) {
    auto* c = static_cast<core::Call*>(test);
    const NativeDef* def = native_callee(c->function);
    if (def && c->args.size() == 2) {
      const Relation relation = relation_of(def->name);
      if (relation != Relation::None && relation != Relation::Equal) {
        std::uint16_t a = operand(c->args[0]);
        std::uint16_t b = operand(c->args[1]);
        if (relation == Relation::Greater || relation == Relation::GreaterEqual) std::swap(a, b);
        const bool strict = relation == Relation::Less || relation == Relation::Greater;
        top_ = saved;
        const std::size_t at =
            emit(strict ? Op::JumpUnlessLt : Op::JumpUnlessLe, a, b, 0, test->span);
        argument_spans(at, c->args);
        return at;
      }
      if (relation == Relation::Equal &&
          (is_scalar_constant(c->args[0]) || is_scalar_constant(c->args[1]))) {
        const std::uint16_t a = operand(c->args[0]);
        const std::uint16_t b = operand(c->args[1]);
        top_ = saved;
        return emit(Op::JumpUnlessEq, a, b, 0, test->span);
      }
    }
    if (def && c->args.size() == 1 && std::string_view(def->name) == "not") {
      const std::uint16_t a = operand(c->args[0]);
      top_ = saved;
      return emit(Op::JumpIfTrue, a, 0, 0, test->span);
    }
  }
  const std::uint16_t r = operand(test);
  top_ = saved;
  return emit(Op::JumpIfFalse, r, 0, 0, test->span);
}

}  // namespace chancel
