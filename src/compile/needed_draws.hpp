// SPDX-License-Identifier: Apache-2.0
// How many draws each line of a sequence has to have: its own, those of the lines it names, and
// those of memoised functions, each call with the same constants once. Calls are followed as far as
// constants lead: (get-state 3) needs (get-state 2), and so on. It is an estimate, on which only the
// order of lines depends that may come in any order: branches whose test is not known count both,
// loops and functions handed to the library count one pass, and the work is bounded.
#pragma once
#include <cstdint>
#include <vector>

#include "compile/compile.hpp"
#include "core/walk.hpp"

namespace chancel {

struct Line {
  const core::Binding* name = nullptr;  // null: evaluated for its effect
  core::Node* node = nullptr;
};

// What the variables of lets are bound to.
using Written = std::unordered_map<const core::Binding*, core::Node*>;

std::vector<std::uint64_t> needed_draws(const std::vector<Line>& lines, const Written& around,
                                        const core::Definitions& globals, Program& program,
                                        Library& library);

}  // namespace chancel
