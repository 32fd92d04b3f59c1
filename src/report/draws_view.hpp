// SPDX-License-Identifier: Apache-2.0
// A sequence of draws, as doquery gives them, shown as a table of its labels. Nothing is known about
// the engine that made them (particles of a sweep share ancestors, draws of a chain are correlated),
// so the table has what describes the draws and no error of the mean.
#pragma once
#include <optional>
#include <string>

#include "chancel/summary.hpp"

namespace chancel::report {

// Whether the value is a finite sequence of at least two maps {:log-weight :result :predicts}.
bool are_draws(const ValueView& value);
// Their summary; the result of the query counts as the label :result where nothing is predicted.
Summary summary_of_draws(const ValueView& draws);
std::string draws_view_text(const Summary& summary, bool colour);
// "1000 draws, effective sample size 340 by weight"
std::string draws_count_text(const Summary& summary);

}  // namespace chancel::report
