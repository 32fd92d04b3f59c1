// SPDX-License-Identifier: Apache-2.0
// Which predicts of a query depend on no draw, whatever is drawn: `(predict :n (count ys))`. A
// summary must not warn that such a label never changed. The answer is conservative: a label is
// listed only when one predict in the program has it, as a literal, and its value is free of draws:
// it holds no sample, calls nothing that may draw or keep state, and its free variables are
// arguments of the query or names of values that are free of draws themselves. Variables of loops
// and arguments of inner functions count as draws. Cost: linear in the text for each predict.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/core.hpp"

namespace chancel::core {

// Labels as printed; ":result" when the value of the query is free of draws. `program` holds the
// top-level nodes; `library_is_free` says whether a library function neither draws nor keeps state.
std::vector<std::string> draw_free_predicts(
    const std::vector<Node*>& program, const Name* query,
    const std::function<bool(const Name*)>& library_is_free);

}  // namespace chancel::core
