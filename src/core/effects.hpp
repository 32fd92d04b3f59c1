// SPDX-License-Identifier: Apache-2.0
// What evaluating a part of a query may do beside giving a value, as far as its order matters. The
// answer is an upper bound: a function counts where it is named, not where it is called, and so does
// every function that the value of a named variable may hold. What is not known to be harmless is a
// fence. Cost: linear in the text, once, and then in the part.
//
// Two parts may change places, with the same distribution of everything, when neither needs a
// variable of the other, neither is a fence and not both predict: draws and scores of observes are
// factors of a product, and a memoised function draws the same for any first caller.
#pragma once
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/core.hpp"
#include "core/walk.hpp"

namespace chancel::core {

enum Effect : std::uint8_t {
  kDraws = 1,
  kObserves = 2,
  kPredicts = 4,
  kFence = 8,     // reads or changes state, prints, throws, or unknown
  kCatches = 16,  // may call functions and continue after a failure
};

// Of a library function: it neither draws nor keeps state; it does, but what it gives is data and
// comes from nothing that the program has kept; or neither is known.
enum class LibraryUse : std::uint8_t { Free, GivesData, Unknown };
using LibraryUses = std::function<LibraryUse(const Name*)>;

class Effects {
 public:
  // The arguments of the query and what it captures must hold no functions.
  Effects(Lambda* query, const Definitions& globals, LibraryUses library);

  std::uint8_t of(Node* part) const;
  // The same, of what the part names as functions: not what a variable may hold beside its value.
  std::uint8_t when_called(Node* part) const;
  // Of all functions that the query may call.
  std::uint8_t of_functions() const { return functions_; }

 private:
  struct Latent {  // what a variable holds
    std::uint8_t effects = 0;
    std::vector<const void*> named_by;
    bool is_function = false;
  };
  std::uint8_t of_name(const Name* name) const;
  std::uint8_t sum(Node* part, bool functions_only) const;
  void hold(const void* holder, Node* value);
  bool makes_memo(const Node* node) const;
  bool is_at_rest(const Node* node) const;
  bool gives_data(const Call* call) const;
  void enter(Node* root);
  void propagate();

  const Definitions& globals_;
  LibraryUses library_;
  std::unordered_map<const void*, Latent> latent_;  // by Binding or Name
  std::vector<Node*> reached_;                      // definitions that the query may come to,
  std::unordered_set<const Name*> entered_;         // and their names
  std::unordered_set<const void*> parameters_;      // of functions inside the query
  std::uint8_t functions_ = 0;
};

}  // namespace chancel::core
