// SPDX-License-Identifier: Apache-2.0
// Evaluates the lazy parts of a value that is about to be shown. A sequence may be infinite, or
// longer than is useful to show: the number of elements is bounded, for a stream of draws to a few.
// A sequence that is shorter is evaluated to its end, with all that it prints on the way.
#pragma once
#include <cstdint>

#include "vm/machine.hpp"

namespace chancel {

class ShownValue {
 public:
  static constexpr std::uint64_t kMostElements = 100'000;  // of one sequence
  static constexpr std::uint64_t kMostDraws = 10;          // of a sequence that doquery gave

  // `seq` is the library's function.
  ShownValue(Machine& host, const Value& seq) : host_(host), seq_(seq) {}
  // False: it failed (the machine has the failure).
  bool realise(const Value& value);
  bool has_more() const { return more_; }  // a sequence was left before its end

 private:
  bool realise_sequence(const Value& sequence);
  void look(const Value& part);

  Machine& host_;
  Value seq_;
  std::vector<Value> open_;
  std::uint64_t elements_left_ = 4 * kMostElements;  // of all sequences
  bool more_ = false;
};

}  // namespace chancel
