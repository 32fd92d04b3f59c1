// SPDX-License-Identifier: Apache-2.0
// The emitter: one pass over the tree, with registers allocated like a stack (see bytecode/code.hpp
// for the invariant). expr(node, dst, tail) puts the value of a node into register dst. The rule that
// everything hangs on: registers below top_ are initialised, and dst <= top_; when dst == top_ it
// is scratch until the value is there. So a call window may start at dst, and the live part of a
// frame at any checkpoint is exactly [0, top_).
//
// A source for each kind of node: emit.cpp has the walk over the tree, emit_functions.cpp closures and
// what they capture, emit_jumps.cpp loops and tests, emit_calls.cpp calls, emit_checkpoints.cpp sample
// and observe; emit_instructions.cpp writes instructions and hands out registers.
#pragma once
#include <unordered_map>
#include <utility>
#include <vector>

#include "compile/passes.hpp"

namespace chancel {

inline constexpr std::size_t kMaxParameters = 60;

struct TooFar {
};  // a fused compare-and-jump does not reach: compile the function again without fusing

// A function that has been compiled: its code, and what it captures.
struct MadeFunction {
  FunctionProto* proto;
  std::vector<const core::Binding*> captured;
};

struct Emission {
  const core::NodeArena& nodes;
  Program& program;
  Library& library;
  DiagnosticSink& sink;
  bool too_large = false;  // reported: what is left is not worth emitting
  // By lambda: a function that is compiled again (TooFar) finds those inside it made.
  std::unordered_map<const core::Lambda*, MadeFunction> made = {};
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
                  const core::Binding* self)
      : unit_(unit), parent_(parent), proto_(proto), self_(self) {}

  void function(const core::Lambda& lambda);
  void top_level(core::Node* body);

 private:
  void emit_arity(const core::Arity& arity, bool fuse);

  // --- registers and instructions ---
  std::uint16_t push();
  void note(std::uint32_t r);
  void too_large();
  std::size_t emit(Op op, std::uint32_t a, std::uint32_t b, std::uint32_t c, Span span);
  std::size_t emit_wide(Op op, std::uint32_t a, std::int64_t wide, Span span);
  void word(Instr w, Span span);
  void native_word(const NativeDef* def, Span span);
  std::size_t here() const;
  void patch(std::size_t jump);
  void argument_spans(std::size_t pc, const std::vector<core::Node*>& args);
  std::uint32_t constant(const Value& v);
  void load_value(const Value& v, std::uint32_t dst, Span span);

  // --- variables ---
  // Index of a captured value of this function; the binding belongs to an enclosing function.
  std::uint16_t capture(const core::Binding* b);
  // How a function inside this one gets at the binding when it is made.
  Capture capture_of(const core::Binding* b);
  void load_local(const core::Binding* b, std::uint32_t dst, Span span);
  // A register that holds the value: the local's own, or a new temporary (the caller restores
  // top_).
  std::uint16_t operand(core::Node* node);

  // --- expressions ---
  void finish(std::uint32_t dst, bool tail, Span span);
  // Follows the node to its last part (core/children.hpp), so that long chains need no stack.
  void expr(core::Node* node, std::uint32_t dst, bool tail);
  // A node that does not end with a part of itself.
  void single(core::Node* node, std::uint32_t dst, bool tail);
  void bind(const core::Binding* binding, core::Node* init);
  void global(core::Global* g, std::uint32_t dst);

  // --- functions ---
  FunctionProto* lambda_proto(core::Lambda* lam, const Name* name, const core::Binding* self);
  void lambda(core::Lambda* lam, std::uint32_t dst, const Name* name);
  void fix(core::Fix* f, std::uint32_t dst, bool tail);
  void try_form(core::Try* t, std::uint32_t dst);

  // --- loops and branches ---
  struct LoopState {
    std::vector<std::uint16_t> regs;
    std::vector<const core::Binding*> bindings;
    std::size_t head;
    std::uint32_t top;
  };
  void loop(core::Loop* l, std::uint32_t dst, bool tail);
  // The register of a local that only starts the loop variable: recur may overwrite it. That is so
  // for the loop around the body of a function that calls recur, whose variables are its parameters
  // under other bindings.
  int reusable_register(core::Node* init, core::Loop* l);
  void recur(core::Recur* r);
  // Does the node read a local that lives in this register?
  bool mentions(core::Node* node, std::uint16_t reg);
  // Emits a jump that is taken when the test fails; returns where to patch it.
  std::size_t jump_unless(core::Node* test);

  // --- calls ---
  const NativeDef* native_callee(core::Node* function);
  bool takes(const NativeDef* def, std::size_t n);
  void call(core::Call* c, std::uint32_t dst, bool tail);
  // Whether the first `count` nodes are variables in the registers from `first` on.
  bool in_registers(const std::vector<core::Node*>& nodes, std::uint32_t count,
                    std::uint32_t first) const;
  void apply(core::Call* c, std::uint32_t dst, bool tail);
  void native_call(const NativeDef* def, core::Call* c, std::uint32_t dst, bool tail);
  void arguments(const std::vector<core::Node*>& args);

  // --- checkpoints ---
  // The type when the node is `(name args...)` for a library distribution that is not a constant.
  const NativeDef* direct_dist(core::Node* node);
  std::uint16_t id_register(core::Node* id);
  void sample(core::Sample* s, std::uint32_t dst);
  void observe(core::Observe* o, std::uint32_t dst);
  void site_word(std::uint32_t site, std::uint16_t id, Span span);

  Emission& unit_;
  FunctionEmitter* parent_;
  FunctionProto* proto_;
  const core::Binding* self_;
  CodeBlock* code_ = nullptr;
  core::Node* body_ = nullptr;  // of the arity at work
  std::unordered_map<const core::Binding*, std::uint16_t> registers_;
  std::unordered_map<const core::Loop*, LoopState> loops_;
  std::unordered_map<std::pair<Tag, std::uint64_t>, std::uint32_t, ConstantHash> constants_;
  std::vector<const core::Binding*> captured_;
  std::unordered_map<const core::Binding*, std::uint16_t> capture_index_;
  std::uint32_t top_ = 0;
  std::uint32_t most_ = 0;
  bool fuse_ = true;
  bool top_level_ = false;
};

}  // namespace chancel
