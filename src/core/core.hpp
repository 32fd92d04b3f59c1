// SPDX-License-Identifier: Apache-2.0
// The core: the small language that all three dialects become. Every node has the span that the
// user typed. Scoping is resolved here: locals are pointers to Bindings (unique, never shadowed),
// globals are names of program variables. Nodes are owned by a Module-lifetime NodeArena and freely
// shared by pointer; passes rewrite in place. Evaluation order is left to right everywhere. There
// is no assignment.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/budget.hpp"
#include "base/symbol.hpp"
#include "diag/span.hpp"
#include "value/value.hpp"

namespace chancel::core {

enum class Kind : std::uint8_t {
  Const,
  Local,
  Global,
  Lambda,
  Let,
  Fix,
  Loop,
  Recur,
  If,
  Do,
  Call,
  Sample,
  Observe,
  Predict,
  Catch,
  Throw,
  Try,
  Def
};

struct Node {
  Kind kind;
  Span span;           // what the user typed
  Span expanded_from;  // the macro call or sugar it came from, if any
  Node(Kind k, Span s) : kind(k), span(s) {}
  virtual ~Node() = default;
};

struct Binding {
  const Name* name;
  Span span;
  std::uint32_t id = 0;  // unique in the arena, for printing: x.12
};

struct Const : Node {  // a literal or quoted datum; objects live in the program's constant heap
  Value value;
  Const(Span s, Value v) : Node(Kind::Const, s), value(v) {}
};
struct Local : Node {
  const Binding* binding;
  Local(Span s, const Binding* b) : Node(Kind::Local, s), binding(b) {}
};
struct Global : Node {  // a program variable or a library function
  const Name* name;
  Global(Span s, const Name* n) : Node(Kind::Global, s), name(n) {}
};
struct Arity {
  std::vector<const Binding*> params;
  const Binding* rest = nullptr;  // & rest: a list, or nil when there are no more arguments
  Node* body = nullptr;
  Span span;
};
struct Lambda : Node {            // fn, defn, defm, query bodies: one kind of function
  const Name* name = nullptr;     // for printing and call stacks
  const Binding* self = nullptr;  // bound to the function itself inside the bodies, or null
  std::vector<Arity> arities;     // by number of parameters; at most one variadic, last
  bool is_query = false;          // evaluates to a Query value instead of a function
  bool is_anglican = false;       // fm, defm: at top level it takes a continuation and a state, too
  std::string source;             // queries: the text of the form (for reports)
  explicit Lambda(Span s) : Node(Kind::Lambda, s) {}
};
struct Let : Node {  // sequential
  std::vector<std::pair<const Binding*, Node*>> bindings;
  Node* body = nullptr;
  explicit Let(Span s) : Node(Kind::Let, s) {}
};
struct Fix : Node {  // letfn: functions that see each other
  std::vector<std::pair<const Binding*, Lambda*>> functions;
  Node* body = nullptr;
  explicit Fix(Span s) : Node(Kind::Fix, s) {}
};
struct Loop : Node {  // initialisers are sequential; every Recur to it is in tail position of the
                      // same function
  std::vector<std::pair<const Binding*, Node*>> bindings;
  Node* body = nullptr;
  explicit Loop(Span s) : Node(Kind::Loop, s) {}
};
struct Recur : Node {
  Loop* target = nullptr;  // always a Loop: fn-level recur is wrapped in one by the front end
  std::vector<Node*> args;
  explicit Recur(Span s) : Node(Kind::Recur, s) {}
};
struct If : Node {
  Node *test, *then, *otherwise;
  If(Span s, Node* t, Node* a, Node* b) : Node(Kind::If, s), test(t), then(a), otherwise(b) {}
};
struct Do : Node {  // empty: nil
  std::vector<Node*> body;
  explicit Do(Span s) : Node(Kind::Do, s) {}
};
struct Call : Node {
  Node* function = nullptr;
  std::vector<Node*> args;
  explicit Call(Span s) : Node(Kind::Call, s) {}
};
struct Sample : Node {
  Node* dist = nullptr;
  Node* id = nullptr;  // user's checkpoint id, or null
  explicit Sample(Span s) : Node(Kind::Sample, s) {}
};
struct Observe : Node {  // value nil
  Node* dist = nullptr;
  Node* value = nullptr;
  Node* id = nullptr;
  explicit Observe(Span s) : Node(Kind::Observe, s) {}
};
struct Predict : Node {  // value nil; label is evaluated
  Node* label = nullptr;
  Node* value = nullptr;
  explicit Predict(Span s) : Node(Kind::Predict, s) {}
};
struct Catch : Node {  // Anglican's (catch tag body)
  Node* tag = nullptr;
  Lambda* body = nullptr;  // no parameters
  explicit Catch(Span s) : Node(Kind::Catch, s) {}
};
struct Throw : Node {  // (throw tag value); tag null: Clojure's (throw exception)
  Node* tag = nullptr;
  Node* value = nullptr;
  explicit Throw(Span s) : Node(Kind::Throw, s) {}
};
struct Try : Node {
  Lambda* body = nullptr;     // no parameters
  Lambda* handler = nullptr;  // one parameter, the exception; or null
  Lambda* finally = nullptr;  // no parameters, or null
  explicit Try(Span s) : Node(Kind::Try, s) {}
};
struct Def : Node {  // top level only; value may be null (declare). Evaluates to the symbol's name
                     // as a symbol
  const Name* name;
  Node* value = nullptr;
  Def(Span s, const Name* n) : Node(Kind::Def, s), name(n) {}
};

// Owns nodes and bindings, and pays for them when it has a budget.
class NodeArena {
 public:
  explicit NodeArena(Budget* budget = nullptr) : budget_(budget) {}
  // For what else the work on these nodes makes.
  void take(std::size_t bytes) {
    if (budget_) budget_->take(bytes);
  }
  template <class T, class... A>
  T* make(A&&... args) {
    take(sizeof(T) + kSlots);
    auto node = std::make_unique<T>(std::forward<A>(args)...);
    T* raw = node.get();
    nodes_.push_back(std::move(node));
    return raw;
  }
  const Binding* bind(const Name* name, Span span) {
    take(sizeof(Binding));
    bindings_.push_back({name, span, static_cast<std::uint32_t>(bindings_.size())});
    return &bindings_.back();
  }

 private:
  // The allocator's share, the arena's pointer, and the parent's (in a vector with room to grow).
  static constexpr std::size_t kSlots = 48;
  Budget* budget_;
  std::deque<std::unique_ptr<Node>> nodes_;
  std::deque<Binding> bindings_;
};

std::string print(const Node* node);  // chancel dump --stage=core
// Checks the rules above; empty when they hold, else what is broken.
std::string verify(const Node* node);

}  // namespace chancel::core
