// SPDX-License-Identifier: Apache-2.0
// The definitions of a program: which names it has defined, and their values. Code of the library must not see them, so
// that redefining `map` or `mean` cannot break it: they are hidden while such code is compiled.
#pragma once
#include <optional>
#include <unordered_set>

#include "reader/datum.hpp"
#include "session/evaluator.hpp"
#include "session/images.hpp"

namespace chancel {

class Globals {
 public:
  Globals(Evaluator& evaluator, Images& images) : evaluator_(evaluator), images_(images) {}

  class Hidden {
   public:
    explicit Hidden(Globals& globals) : globals_(globals) { ++globals_.hidden_; }
    ~Hidden() { --globals_.hidden_; }
    Hidden(const Hidden&) = delete;
    Hidden& operator=(const Hidden&) = delete;

   private:
    Globals& globals_;
  };
  bool hidden() const { return hidden_ > 0; }

  bool contains(const Name* name) const { return defined_.contains(name); }
  bool visible(const Name* name) const { return hidden_ == 0 && defined_.contains(name); }
  const std::unordered_set<const Name*>& names() const { return defined_; }
  // The name is one of the program's. Reports an error when there are too many.
  void declare(const Name* name, Span span);

  // Gives a variable that the program's own text does not define a value, now and later.
  void define(const Name* name, const Value& value);
  // The same for a value that may be collected once the variable has another.
  void set(const Name* name, const Value& value);
  // Nothing: it is not defined, or not evaluated yet.
  std::optional<Value> value(const Name* name) const;
  // Code may hold functions and other objects: each gets a global of its own, whose name is the datum.
  Datum name_object(const Value& object, Span span);

 private:
  Evaluator& evaluator_;
  Images& images_;
  std::unordered_set<const Name*> defined_;
  int hidden_ = 0;  // how many Hidden there are
  bool too_many_ = false;
  std::uint64_t objects_named_ = 0;
};

}  // namespace chancel
