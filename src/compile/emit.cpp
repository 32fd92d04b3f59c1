// SPDX-License-Identifier: Apache-2.0
// The emitter: one pass over the tree, with registers allocated like a stack (see bytecode/code.hpp
// for the invariant). expr(node, dst, tail) puts the value of a node into register dst. The rule that
// everything hangs on: registers below top_ are initialised, and dst <= top_; when dst == top_ it
// is scratch until the value is there. So a call window may start at dst, and the live part of a
// frame at any checkpoint is exactly [0, top_).
#include <algorithm>
#include <unordered_map>

#include "compile/operators.hpp"
#include "compile/passes.hpp"
#include "core/children.hpp"
#include "fmt/format.h"

namespace chancel {

namespace {

using namespace core;

constexpr std::uint32_t kMaxRegisters = 8000;
constexpr std::size_t kMaxParameters = 60;
constexpr std::size_t kMaxCaptured = 60000;

struct TooFar {
};  // a fused compare-and-jump does not reach: compile the function again without fusing

class FunctionEmitter;

// A function that has been compiled: its code, and what it captures.
struct MadeFunction {
  FunctionProto* proto;
  std::vector<const Binding*> captured;
};

struct Emission {
  const NodeArena& nodes;
  Program& program;
  Library& library;
  DiagnosticSink& sink;
  bool too_large = false;  // reported: what is left is not worth emitting
  // By lambda: a function that is compiled again (TooFar) finds those inside it made.
  std::unordered_map<const Lambda*, MadeFunction> made = {};
};

struct ConstantHash {
  std::size_t operator()(const std::pair<Tag, std::uint64_t>& constant) const {
    return std::hash<std::uint64_t>{}(constant.second) * 31 +
           static_cast<std::size_t>(constant.first);
  }
};

class FunctionEmitter {
 public:
  FunctionEmitter(Emission& unit, FunctionEmitter* parent, FunctionProto* proto,
                  const Binding* self)
      : unit_(unit), parent_(parent), proto_(proto), self_(self) {}

  void function(const Lambda& lambda) {
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

  void top_level(Node* body) {
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

 private:
  void emit_arity(const Arity& arity, bool fuse) {
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
    if (parent_ == nullptr &&
        top_level_) {  // keeps its frame, so that messages find the user's text
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

  // --- registers and instructions ---

  std::uint16_t push() {
    const std::uint32_t r = top_++;
    note(r);
    return static_cast<std::uint16_t>(r);
  }
  void note(std::uint32_t r) {
    if (r >= most_) most_ = r + 1;
    if (r > kMaxRegisters) {
      too_large();
      top_ = 0;
      most_ = 1;
    }
  }
  void too_large() {
    if (!unit_.too_large)
      unit_.sink.error(Code::C001, proto_->span,
                       fmt::format("this function is too large: it holds more than {} values at "
                                   "once (local names, arguments of calls)",
                                   kMaxRegisters),
                       "split it into smaller functions");
    unit_.too_large = true;
  }
  std::size_t emit(Op op, std::uint32_t a, std::uint32_t b, std::uint32_t c, Span span) {
    unit_.program.take(sizeof(Instr) + sizeof(Span));
    code_->instrs.push_back({op, static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b),
                             static_cast<std::uint16_t>(c)});
    code_->spans.push_back(span);
    code_->live.push_back(static_cast<std::uint16_t>(top_));
    return code_->instrs.size() - 1;
  }
  std::size_t emit_wide(Op op, std::uint32_t a, std::int64_t wide, Span span) {
    const auto w = static_cast<std::uint32_t>(wide);
    return emit(op, a, w & 0xffff, w >> 16, span);
  }
  void word(Instr w, Span span) {
    unit_.program.take(sizeof(Instr) + sizeof(Span));
    code_->instrs.push_back(w);
    code_->spans.push_back(span);
    code_->live.push_back(static_cast<std::uint16_t>(top_));
  }
  void native_word(const NativeDef* def, Span span) {
    word(make_pointer_word(def, static_cast<std::uint16_t>(top_)), span);
  }
  std::size_t here() const { return code_->instrs.size(); }
  void patch(std::size_t jump) {
    const std::ptrdiff_t offset =
        static_cast<std::ptrdiff_t>(here()) - static_cast<std::ptrdiff_t>(jump) - 1;
    Instr& i = code_->instrs[jump];
    switch (i.op) {
      case Op::JumpUnlessLt:
      case Op::JumpUnlessLe:
      case Op::JumpUnlessEq:
        if (offset > 32000) throw TooFar{};
        i.c = static_cast<std::uint16_t>(offset);
        return;
      default:
        i.b = static_cast<std::uint16_t>(offset & 0xffff);
        i.c = static_cast<std::uint16_t>((offset >> 16) & 0xffff);
    }
  }
  void argument_spans(std::size_t pc, const std::vector<Node*>& args) {
    ArgumentSpans entry{static_cast<std::uint32_t>(pc), {}};
    unit_.program.take(sizeof(ArgumentSpans) + 16 + args.size() * sizeof(Span));
    entry.spans.reserve(args.size());
    for (const Node* a : args) entry.spans.push_back(a->span);
    code_->argument_spans.push_back(std::move(entry));
  }
  std::uint32_t constant(const Value& v) {
    const auto [place, fresh] = constants_.try_emplace(
        {v.tag, v.bits}, static_cast<std::uint32_t>(code_->constants.size()));
    if (fresh) {
      unit_.program.take(2 * sizeof(Value));
      code_->constants.push_back(v);
    }
    return place->second;
  }
  void load_value(const Value& v, std::uint32_t dst, Span span) {
    note(dst);
    if (v.is_nil())
      emit(Op::LoadNil, dst, 0, 0, span);
    else if (v.is(Tag::Int) && v.i >= INT32_MIN && v.i <= INT32_MAX)
      emit_wide(Op::LoadInt, dst, v.i, span);
    else
      emit_wide(Op::LoadConst, dst, constant(v), span);
  }

  // --- variables ---

  // Index of a captured value of this function; the binding belongs to an enclosing function.
  std::uint16_t capture(const Binding* b) {
    const auto [place, fresh] =
        capture_index_.try_emplace(b, static_cast<std::uint16_t>(captured_.size()));
    if (!fresh) return place->second;
    const std::uint16_t index = place->second;
    CHANCEL_ASSERT(parent_, "unresolved local");
    if (captured_.size() >= kMaxCaptured) {
      too_large();
      return 0;
    }
    unit_.program.take(2 * sizeof(Capture));
    captured_.push_back(b);
    proto_->captures.push_back(parent_->capture_of(b));
    return index;
  }
  // How a function inside this one gets at the binding when it is made.
  Capture capture_of(const Binding* b) {
    if (self_ == b) return {true, kSelfCapture};
    if (auto it = registers_.find(b); it != registers_.end()) return {true, it->second};
    return {false, capture(b)};
  }

  void load_local(const Binding* b, std::uint32_t dst, Span span) {
    note(dst);
    if (auto it = registers_.find(b); it != registers_.end()) {
      if (it->second != dst) emit(Op::Move, dst, it->second, 0, span);
    } else if (b == self_) {
      emit(Op::LoadSelf, dst, 0, 0, span);
    } else {
      emit(Op::LoadCaptured, dst, capture(b), 0, span);
    }
  }

  // A register that holds the value: the local's own, or a new temporary (the caller restores
  // top_).
  std::uint16_t operand(Node* node) {
    if (node->kind == Kind::Local) {
      const auto it = registers_.find(static_cast<Local*>(node)->binding);
      if (it != registers_.end()) return it->second;
    }
    const std::uint32_t r = top_;
    expr(node, r, false);
    top_ = r;
    return push();
  }

  // --- expressions ---

  void finish(std::uint32_t dst, bool tail, Span span) {
    if (tail) emit(Op::Return, dst, 0, 0, span);
  }

  // Follows the node to its last part (core/children.hpp), so that long chains need no stack.
  void expr(Node* node, std::uint32_t dst, bool tail) {
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

  // A node that does not end with a part of itself.
  void single(Node* node, std::uint32_t dst, bool tail) {
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

  void bind(const Binding* binding, Node* init) {
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

  void global(Global* g, std::uint32_t dst) {
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

  FunctionProto* lambda_proto(Lambda* lam, const Name* name, const Binding* self) {
    if (const auto it = unit_.made.find(lam); it != unit_.made.end()) {
      FunctionProto* proto = it->second.proto;
      for (std::size_t k = 0; k < it->second.captured.size(); ++k)
        proto->captures[k] = capture_of(it->second.captured[k]);
      return proto;
    }
    FunctionProto* proto = unit_.program.add_function();
    proto->name = name ? name : lam->name;
    proto->span = lam->span;
    proto->is_query = lam->is_query;
    proto->source = lam->source;
    FunctionEmitter inner(unit_, this, proto, self);
    inner.function(*lam);
    if (lam->is_query) unit_.library.made_query(lam, unit_.nodes, proto, inner.captured_);
    unit_.made[lam] = {proto, std::move(inner.captured_)};
    return proto;
  }

  void lambda(Lambda* lam, std::uint32_t dst, const Name* name) {
    note(dst);
    FunctionProto* proto = lambda_proto(lam, lam->name ? lam->name : name, lam->self);
    if (proto->captures.empty()) {  // no environment: one constant closure
      auto& constants = unit_.program.constants();
      auto* c = constants.make<Closure>(Tag::Closure, bytes_with<Closure>(1));
      c->proto = proto;
      c->captured[0] = Value::nil();
      Value v = Value::object(c);
      if (proto->is_query) {
        auto* q = constants.make<Query>(Tag::Query);
        q->proto = proto;
        q->body = v;
        v = Value::object(q);
      }
      emit_wide(Op::LoadConst, dst, constant(v), lam->span);
      return;
    }
    code_->functions.push_back(proto);
    emit_wide(Op::MakeClosure, dst, static_cast<std::int64_t>(code_->functions.size() - 1),
              lam->span);
  }

  void fix(Fix* f, std::uint32_t dst, bool tail) {
    std::vector<std::uint16_t> regs;
    for (auto& [binding, lam] : f->functions) {
      load_value(Value::nil(), top_, lam->span);
      const std::uint16_t r = push();
      registers_[binding] = r;
      regs.push_back(r);
    }
    std::vector<FunctionProto*> protos;
    for (std::size_t k = 0; k < f->functions.size(); ++k) {
      Lambda* lam = f->functions[k].second;
      FunctionProto* proto = lambda_proto(lam, lam->name ? lam->name : f->functions[k].first->name,
                                          f->functions[k].first);
      protos.push_back(proto);
      code_->functions.push_back(proto);
      emit_wide(Op::MakeClosure, regs[k], static_cast<std::int64_t>(code_->functions.size() - 1),
                lam->span);
    }
    for (std::size_t k = 0; k < protos.size(); ++k)
      for (std::size_t c = 0; c < protos[k]->captures.size(); ++c) {
        const Capture cap = protos[k]->captures[c];
        if (!cap.from_local || cap.index == kSelfCapture) continue;
        if (std::find(regs.begin(), regs.end(), cap.index) != regs.end())
          emit(Op::PatchCapture, regs[k], static_cast<std::uint32_t>(c), cap.index, f->span);
      }
    expr(f->body, dst, tail);
  }

  struct LoopState {
    std::vector<std::uint16_t> regs;
    std::vector<const Binding*> bindings;
    std::size_t head;
    std::uint32_t top;
  };

  void loop(Loop* l, std::uint32_t dst, bool tail) {
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

  // The register of a local that only starts the loop variable: recur may overwrite it. That is so
  // for the loop around the body of a function that calls recur, whose variables are its parameters
  // under other bindings.
  int reusable_register(Node* init, Loop* l) {
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
  static bool names_binding(Node* node, const Binding* b) {
    return any_local(node, [&](const Binding* local) { return local == b; });
  }
  template <class Test>
  static bool any_local(Node* root, const Test& test) {
    std::vector<Node*> open = {root};
    while (!open.empty()) {
      Node* node = open.back();
      open.pop_back();
      if (node->kind == Kind::Local && test(static_cast<Local*>(node)->binding)) return true;
      each_child(node, [&](Node* child) { open.push_back(child); });
    }
    return false;
  }

  void recur(Recur* r) {
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
              static_cast<std::int64_t>(state.head) - static_cast<std::int64_t>(here()) - 1,
              r->span);
  }

  // Does the node read a local that lives in this register?
  bool mentions(Node* node, std::uint16_t reg) {
    return any_local(node, [&](const Binding* local) {
      const auto it = registers_.find(local);
      return it != registers_.end() && it->second == reg;
    });
  }

  // --- branches ---

  // Emits a jump that is taken when the test fails; returns where to patch it.
  std::size_t jump_unless(Node* test) {
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

  // --- calls ---

  const NativeDef* native_callee(Node* function) {
    if (function->kind != Kind::Global) return nullptr;
    const Library::Meaning m = unit_.library.resolve(static_cast<Global*>(function)->name);
    return m.kind == Library::Meaning::Native ? m.native : nullptr;
  }

  bool takes(const NativeDef* def, std::size_t n) {
    return static_cast<int>(n) >= def->min_args &&
           (def->max_args < 0 || static_cast<int>(n) <= def->max_args);
  }

  void call(core::Call* c, std::uint32_t dst, bool tail) {
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

  // Whether the first `count` nodes are variables in the registers from `first` on.
  bool in_registers(const std::vector<Node*>& nodes, std::uint32_t count,
                    std::uint32_t first) const {
    for (std::uint32_t k = 0; k < count; ++k) {
      if (nodes[k]->kind != Kind::Local) return false;
      const auto it = registers_.find(static_cast<Local*>(nodes[k])->binding);
      if (it == registers_.end() || it->second != first + k) return false;
    }
    return true;
  }

  static const Name* apply_name() {
    static const Name* const name = intern("apply");
    return name;
  }

  void apply(core::Call* c, std::uint32_t dst, bool tail) {
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

  void native_call(const NativeDef* def, core::Call* c, std::uint32_t dst, bool tail) {
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

  // --- checkpoints ---

  // The type when the node is `(name args...)` for a library distribution that is not a constant.
  const NativeDef* direct_dist(Node* node) {
    if (node->kind != Kind::Call) return nullptr;
    auto* c = static_cast<core::Call*>(node);
    const NativeDef* def = native_callee(c->function);
    // A constructor with a user pointer is called as the native it is.
    return def && def->dist && !def->user && takes(def, c->args.size()) ? def : nullptr;
  }

  std::uint16_t id_register(Node* id) {
    return id ? static_cast<std::uint16_t>(operand(id) + 1) : std::uint16_t{0};
  }

  void sample(Sample* s, std::uint32_t dst) {
    const std::uint32_t saved = top_;
    const std::uint32_t site = unit_.program.add_site(SiteKind::Sample, s->span, proto_->name);
    const std::uint16_t id = id_register(s->id);
    if (const NativeDef* def = direct_dist(s->dist)) {
      auto* c = static_cast<core::Call*>(s->dist);
      const std::uint32_t base = top_;
      arguments(c->args);
      note(top_ + 4);
      const std::size_t at =
          emit(Op::SampleDirect, dst, base, static_cast<std::uint32_t>(c->args.size()), c->span);
      argument_spans(at, c->args);
      top_ = saved;
      site_word(site, id, s->span);
      word(instr_of(reinterpret_cast<std::uint64_t>(def->dist)), s->span);
      return;
    }
    const std::uint16_t d = operand(s->dist);
    note(top_ + 4);
    const std::size_t at = emit(Op::Sample, dst, d, 0, s->span);
    argument_spans(at, {s->dist});
    top_ = saved;
    site_word(site, id, s->span);
  }

  void observe(Observe* o, std::uint32_t dst) {
    const std::uint32_t saved = top_;
    const std::uint32_t site = unit_.program.add_site(SiteKind::Observe, o->span, proto_->name);
    const std::uint16_t id = id_register(o->id);
    if (const NativeDef* def = direct_dist(o->dist)) {
      auto* c = static_cast<core::Call*>(o->dist);
      const std::uint32_t base = top_;
      arguments(c->args);
      const std::uint32_t r = top_;
      expr(o->value, r, false);
      top_ = r;
      push();
      note(top_ + 4);
      const std::size_t at =
          emit(Op::ObserveDirect, dst, base, static_cast<std::uint32_t>(c->args.size()), c->span);
      std::vector<Node*> all = c->args;
      all.push_back(o->value);
      argument_spans(at, all);
      top_ = saved;
      site_word(site, id, o->span);
      word(instr_of(reinterpret_cast<std::uint64_t>(def->dist)), o->span);
      return;
    }
    const std::uint16_t d = operand(o->dist);
    const std::uint16_t v = operand(o->value);
    note(top_ + 4);
    const std::size_t at = emit(Op::Observe, dst, d, v, o->span);
    argument_spans(at, {o->dist, o->value});
    top_ = saved;
    site_word(site, id, o->span);
  }

  void arguments(const std::vector<Node*>& args) {
    for (Node* arg : args) {
      const std::uint32_t r = top_;
      expr(arg, r, false);
      top_ = r;
      push();
    }
  }

  void site_word(std::uint32_t site, std::uint16_t id, Span span) {
    // When the checkpoint has an id, its register must be thawed with the rest.
    const std::uint32_t live = id ? std::max<std::uint32_t>(top_, id) : top_;
    word(make_site_word({site, static_cast<std::uint16_t>(live), id}), span);
  }

  void try_form(Try* t, std::uint32_t dst) {
    const std::uint32_t base = top_;
    lambda(t->body, base, nullptr);
    push();
    if (t->handler)
      lambda(t->handler, top_, nullptr);
    else
      load_value(Value::nil(), top_, t->span);
    push();
    if (t->finally)
      lambda(t->finally, top_, nullptr);
    else
      load_value(Value::nil(), top_, t->span);
    push();
    note(top_ + 4);
    emit(Op::Try, dst, base, 0, t->span);
    if (t->finally) {
      emit(Op::Move, top_, base + 2, 0, t->span);
      emit(Op::Call, top_, top_, 0, t->span);
    }
    top_ = base;
  }

  Emission& unit_;
  FunctionEmitter* parent_;
  FunctionProto* proto_;
  const Binding* self_;
  CodeBlock* code_ = nullptr;
  Node* body_ = nullptr;  // of the arity at work
  std::unordered_map<const Binding*, std::uint16_t> registers_;
  std::unordered_map<const Loop*, LoopState> loops_;
  std::unordered_map<std::pair<Tag, std::uint64_t>, std::uint32_t, ConstantHash> constants_;
  std::vector<const Binding*> captured_;
  std::unordered_map<const Binding*, std::uint16_t> capture_index_;
  std::uint32_t top_ = 0;
  std::uint32_t most_ = 0;
  bool fuse_ = true;
  bool top_level_ = false;
};

}  // namespace

void emit_code(CompileUnit& unit) {
  Emission emission{unit.nodes, unit.program, unit.library, unit.sink, false, {}};
  FunctionProto* proto = unit.program.add_function();
  proto->span = unit.node->span;
  FunctionEmitter emitter(emission, nullptr, proto, nullptr);
  emitter.top_level(unit.node);
  unit.code = proto;
}

}  // namespace chancel
