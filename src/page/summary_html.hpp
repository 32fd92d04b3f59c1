// SPDX-License-Identifier: Apache-2.0
// The tables of a page: what the draws say, and what to beware of. Plain HTML, so that they can be
// read and copied without scripts.
#pragma once
#include <string>

#include "chancel/summary.hpp"

namespace chancel::page {

std::string summary_html(const Summary& summary);  // a section with its heading
// The tables alone; `rest`: where rows are that do not fit.
std::string summary_tables(const Summary& summary, const char* rest);
// Draws of which nothing else is known (report/draws_view.hpp): no errors of means.
std::string draws_html(const Summary& summary);
// A section of its own each: what makes the answer doubtful, and what is merely worth knowing.
std::string warnings_html(const std::vector<Advice>& advice);
std::string notes_html(const std::vector<Advice>& advice);

}  // namespace chancel::page
