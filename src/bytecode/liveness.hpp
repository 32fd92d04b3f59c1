// SPDX-License-Identifier: Apache-2.0
// Which registers of a code block are read again from an instruction on. The live marks of the
// emitter say which are initialised; of those, many are never looked at again.
#pragma once
#include <boost/dynamic_bitset.hpp>
#include <vector>

#include "bytecode/code.hpp"

namespace chancel {

class Liveness {
 public:
  explicit Liveness(const CodeBlock& code);
  // Before the instruction at `pc` runs.
  bool live(const Instr* pc, std::uint32_t reg) const {
    return before_[static_cast<std::size_t>(pc - start_)][reg];
  }
  // The function itself is: for its captured values, or for what may look for it.
  bool needs_function(const Instr* pc) const {
    return before_[static_cast<std::size_t>(pc - start_)][function_];
  }
  // Control comes there in more than one way.
  bool is_join(const Instr* pc) const { return ways_[static_cast<std::size_t>(pc - start_)] > 1; }
  bool has_several_returns() const { return returns_ > 1; }

 private:
  const Instr* start_;
  std::size_t function_;                         // its place in a row of before_
  std::vector<boost::dynamic_bitset<>> before_;  // by instruction word, then register
  std::vector<std::uint32_t> ways_;              // by instruction word
  std::uint32_t returns_ = 0;
};

// The registers that the instructions from `from` to `to` may write.
std::vector<bool> written_between(const CodeBlock& code, const Instr* from, const Instr* to);

}  // namespace chancel
