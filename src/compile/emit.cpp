// SPDX-License-Identifier: Apache-2.0
// See function_emitter.hpp: the walk over the tree of a function.
#include <fmt/format.h>

#include "compile/function_emitter.hpp"
#include "core/children.hpp"

namespace chancel {

using namespace core;

void FunctionEmitter::function(const Lambda& lambda) {
  for (const Arity& arity : lambda.arities) {
    for (bool fuse : {true, false}) {
      try {
        emit_arity(arity, fuse);
        break;
      } catch (const TooFar&) {
        proto_->arities.pop_back();
      }
    }
  }
  proto_->index();
}

void FunctionEmitter::top_level(Node* body) {
  top_level_ = true;
  Arity arity;
  arity.body = body;
  arity.span = body->span;
  for (bool fuse : {true, false}) {
    try {
      emit_arity(arity, fuse);
      break;
    } catch (const TooFar&) {
      proto_->arities.pop_back();
    }
  }
  proto_->index();
}

void FunctionEmitter::emit_arity(const Arity& arity, bool fuse) {
  proto_->arities.push_back(std::make_unique<CodeBlock>());
  code_ = proto_->arities.back().get();
  code_->proto = proto_;
  code_->params = static_cast<std::uint16_t>(arity.params.size());
  code_->variadic = arity.rest != nullptr;
  if (arity.params.size() > kMaxParameters)
    unit_.sink.error(Code::C001, arity.span,
                     fmt::format("a function takes at most {} parameters", kMaxParameters));
  fuse_ = fuse;
  registers_.clear();
  loops_.clear();
  constants_.clear();
  top_ = 0;
  most_ = 0;
  for (const Binding* p : arity.params) registers_[p] = push();
  if (arity.rest) registers_[arity.rest] = push();
  body_ = arity.body;
  if (parent_ == nullptr && top_level_) {  // keeps its frame, so that messages find the user's text
    expr(arity.body, top_, false);
    emit(Op::Return, top_, 0, 0, arity.body->span);
  } else {
    expr(arity.body, top_, true);
  }
  code_->set_frame_size(static_cast<std::uint16_t>(most_ + 8));
  code_->instrs.shrink_to_fit();
  code_->spans.shrink_to_fit();
  code_->argument_spans.shrink_to_fit();
}

void FunctionEmitter::finish(std::uint32_t dst, bool tail, Span span) {
  if (tail) emit(Op::Return, dst, 0, 0, span);
}

void FunctionEmitter::expr(Node* node, std::uint32_t dst, bool tail) {
  const std::uint32_t saved = top_;
  std::vector<std::size_t> to_end;
  std::vector<std::pair<std::size_t, If*>> to_else;  // tests whose else-part is a leaf
  note(dst);
  for (Node* last; !unit_.too_large && (last = last_part(node)) != nullptr; node = last) {
    if (node->kind == Kind::Let) {
      for (auto& [binding, init] : static_cast<Let*>(node)->bindings) bind(binding, init);
      continue;
    }
    const std::uint32_t before = top_;
    if (node->kind == Kind::Do) {
      const std::vector<Node*>& body = static_cast<Do*>(node)->body;
      for (std::size_t k = 0; k + 1 < body.size(); ++k) {
        expr(body[k], top_, false);
        top_ = before;
      }
      continue;
    }
    auto* branch = static_cast<If*>(node);
    const std::size_t test = jump_unless(branch->test);
    if (last == branch->then) {
      to_else.emplace_back(test, branch);
      continue;
    }
    expr(branch->then, dst, tail);
    top_ = before;
    if (!tail) to_end.push_back(emit_wide(Op::Jump, 0, 0, branch->span));
    patch(test);
  }
  if (unit_.too_large) return;
  single(node, dst, tail);
  for (std::size_t k = to_else.size(); k-- > 0;) {
    const auto& [test, branch] = to_else[k];
    if (!tail) to_end.push_back(emit_wide(Op::Jump, 0, 0, branch->span));
    patch(test);
    single(branch->otherwise, dst, tail);
  }
  for (const std::size_t jump : to_end) patch(jump);
  top_ = saved;
}

void FunctionEmitter::single(Node* node, std::uint32_t dst, bool tail) {
  note(dst);
  const std::uint32_t saved = top_;
  switch (node->kind) {
    case Kind::Const:
      load_value(static_cast<Const*>(node)->value, dst, node->span);
      finish(dst, tail, node->span);
      break;
    case Kind::Local: {
      const Binding* b = static_cast<Local*>(node)->binding;
      const auto it = registers_.find(b);
      if (tail && it != registers_.end()) {
        emit(Op::Return, it->second, 0, 0, node->span);
      } else {
        load_local(b, dst, node->span);
        finish(dst, tail, node->span);
      }
      break;
    }
    case Kind::Global:
      global(static_cast<Global*>(node), dst);
      finish(dst, tail, node->span);
      break;
    case Kind::Lambda:
      lambda(static_cast<Lambda*>(node), dst, nullptr);
      finish(dst, tail, node->span);
      break;
    case Kind::Fix:
      fix(static_cast<Fix*>(node), dst, tail);
      break;
    case Kind::Loop:
      loop(static_cast<Loop*>(node), dst, tail);
      break;
    case Kind::Recur:
      recur(static_cast<Recur*>(node));
      break;
    case Kind::Do:  // empty
      load_value(Value::nil(), dst, node->span);
      finish(dst, tail, node->span);
      break;
    case Kind::Let:
    case Kind::If:
      CHANCEL_ASSERT(false, "a node with a last part");
      break;
    case Kind::Call:
      call(static_cast<core::Call*>(node), dst, tail);
      break;
    case Kind::Sample:
      sample(static_cast<Sample*>(node), dst);
      finish(dst, tail, node->span);
      break;
    case Kind::Observe:
      observe(static_cast<Observe*>(node), dst);
      finish(dst, tail, node->span);
      break;
    case Kind::Predict: {
      auto* p = static_cast<Predict*>(node);
      const std::uint16_t label = operand(p->label);
      const std::uint16_t value = operand(p->value);
      emit(Op::Predict, label, value, top_, node->span);
      top_ = saved;
      load_value(Value::nil(), dst, node->span);
      finish(dst, tail, node->span);
      break;
    }
    case Kind::Catch: {
      auto* c = static_cast<Catch*>(node);
      const std::uint32_t base = top_;
      expr(c->tag, base, false);
      top_ = base + 1;
      lambda(c->body, top_, nullptr);
      note(top_ + 2);
      emit(Op::Catch, dst, base, 0, node->span);
      top_ = saved;
      finish(dst, tail, node->span);
      break;
    }
    case Kind::Throw: {
      auto* t = static_cast<Throw*>(node);
      if (t->tag) {
        const std::uint16_t tag = operand(t->tag);
        const std::uint16_t value = operand(t->value);
        emit(Op::Throw, tag, value, 0, node->span);
      } else {
        emit(Op::ThrowException, operand(t->value), 0, 0, node->span);
      }
      break;
    }
    case Kind::Try:
      try_form(static_cast<Try*>(node), dst);
      finish(dst, tail, node->span);
      break;
    case Kind::Def: {
      auto* d = static_cast<Def*>(node);
      const std::uint32_t index = unit_.program.global(d->name);
      if (d->value) {
        if (d->value->kind == Kind::Lambda)
          lambda(static_cast<Lambda*>(d->value), top_, d->name);
        else
          expr(d->value, top_, false);
        top_ = saved;
        note(top_);
        emit_wide(Op::SetGlobal, top_, index, node->span);
      }
      load_value(Value::symbol(d->name), dst, node->span);
      finish(dst, tail, node->span);
      break;
    }
  }
  top_ = saved;
}

void FunctionEmitter::bind(const Binding* binding, Node* init) {
  if (init->kind == Kind::Local) {  // another name for the same register
    const auto it = registers_.find(static_cast<Local*>(init)->binding);
    if (it != registers_.end()) {
      registers_[binding] = it->second;
      return;
    }
  }
  const std::uint32_t r = top_;
  expr(init, r, false);
  top_ = r;
  registers_[binding] = push();
}

void FunctionEmitter::global(Global* g, std::uint32_t dst) {
  const Library::Meaning m = unit_.library.resolve(g->name);
  switch (m.kind) {
    case Library::Meaning::Native:
      load_value(Value::native_fn(m.native), dst, g->span);
      break;
    case Library::Meaning::Constant:
      load_value(m.constant, dst, g->span);
      break;
    case Library::Meaning::Variable:
      emit_wide(Op::LoadGlobal, dst, m.variable, g->span);
      break;
  }
}

void emit_code(CompileUnit& unit) {
  Emission emission{unit.nodes, unit.program, unit.library, unit.sink, false, {}};
  FunctionProto* proto = unit.program.add_function();
  proto->span = unit.node->span;
  FunctionEmitter emitter(emission, nullptr, proto, nullptr);
  emitter.top_level(unit.node);
  unit.code = proto;
}

}  // namespace chancel
