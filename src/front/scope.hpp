// SPDX-License-Identifier: Apache-2.0
// Lexical scope while a form is translated: which local a name means here, and where a recur goes.
// Names are kept on a stack, which leaving a scope cuts; each entry knows the one that it hides, so
// that finding a name takes one look in a table.
#pragma once
#include <unordered_map>
#include <vector>

#include "core/core.hpp"

namespace chancel::front {

// Where an expression stands. Tail: its value is the value of the enclosing function or loop body,
// so that recur may stand here. Test: only the truth of its value matters. Name: the variable that
// the value is given to at once, which functions take as theirs.
struct Position {
  bool tail = false;
  bool test = false;
  const Name* name = nullptr;
  Position inner() const { return {tail, test, nullptr}; }
};

class Scope {
 public:
  struct Entry {
    const Name* name = nullptr;
    const core::Binding* binding = nullptr;  // a local, or
    const Name* global = nullptr;            // another name for this global
    // Venture: bound to (crp ..) and the like, so that it can be observed.
    bool exchangeable = false;
    std::size_t hidden = 0;  // place + 1 of the entry of the same name that this one hides
  };
  void bind(const Name* name, const core::Binding* binding) { push({name, binding}); }
  void alias(const Name* name, const Name* global) { push({name, nullptr, global}); }
  void mark_exchangeable() { entries_.back().exchangeable = true; }
  const Entry* find(const Name* name) const;
  const std::vector<Entry>& entries() const { return entries_; }

  // Names bound while a Block lives are forgotten when it ends.
  class Block {
   public:
    explicit Block(Scope& scope) : scope_(scope), size_(scope.entries_.size()) {}
    ~Block() { scope_.cut(size_); }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

   private:
    Scope& scope_;
    std::size_t size_;
  };

 private:
  void push(Entry entry);
  void cut(std::size_t size);

  std::vector<Entry> entries_;
  std::unordered_map<const Name*, std::size_t> innermost_;  // place + 1
};

// One recur that was met: its place is held by a sequence of one part, filled in when its loop is
// complete.
struct RecurUse {
  core::Do* holder = nullptr;
  std::vector<core::Node*> args;
};

// What a recur meets on its way outwards. Thunk: a function made by sugar (delay, catch ...), which
// recur passes but never goes to. Wall: recur cannot pass (try, a nested query).
struct RecurFrame {
  enum class Kind { Loop, Function, Thunk, Wall };
  Kind kind = Kind::Wall;
  std::size_t count = 0;    // values that recur must pass
  bool needs_call = false;  // some recur is not in tail position: the loop must become a function
  std::vector<RecurUse> uses;
};

}  // namespace chancel::front
