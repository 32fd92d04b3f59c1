// SPDX-License-Identifier: Apache-2.0
// Characters to data with spans; one reader for all dialects. It throws only what its budget does, and never recurses
// deeper than kMaxNesting: mistakes go to the sink and reading continues at the next sensible
// place, so that several are reported.
#pragma once
#include <vector>

#include "base/budget.hpp"
#include "diag/diagnostic.hpp"
#include "reader/datum.hpp"

namespace chancel {

inline constexpr int kMaxNesting = 2000;

// Of data that other tools evaluate (project.clj), ~x is (unquote x) wherever it stands, and unknown tags are skipped.
enum class Notation : std::uint8_t { Program, ForeignData };

// All top-level forms of the file. Forms that could not be read are left out. The data is paid for
// out of the budget, if there is one.
std::vector<Datum> read_all(const SourceMap& sources, std::uint32_t file, DiagnosticSink& sink,
                            Budget* budget = nullptr, Notation notation = Notation::Program);

// For the REPL: is this text a complete sequence of forms (true), or does it need more lines
// (false)?
bool is_complete(std::string_view text);

}  // namespace chancel
