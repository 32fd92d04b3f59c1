// SPDX-License-Identifier: Apache-2.0
// The draws of a run as other tools want them: numbers in rectangular variables, by chain.
// `:states[3]` is element 3 of the variable `states`; parts under a key are variables of their own
// (`model_mu`). Booleans are 0 and 1; other non-numeric values are numbered in the order of their
// text (Variable::meanings). A draw without the value has NaN. Held in memory: 8 bytes a number.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace chancel::report {

struct Variable {
  std::string name;                          // an identifier
  std::string label;                         // as the program has it
  std::vector<std::size_t> shape;            // empty for a scalar
  bool integer = true;                       // all values are whole numbers
  std::vector<std::string> meanings;         // of 0, 1 ... ; empty for numbers
  std::vector<std::vector<double>> columns;  // element (row-major) x row
  std::size_t elements() const { return columns.size(); }
};

struct DrawTable {
  std::vector<Variable> variables;
  // What the engine says of each draw: a scalar each; `name` is ArviZ's, `label` CmdStan's.
  std::vector<Variable> sampler;
  std::vector<Variable> log_likelihood;          // of the observes, where the run has kept it
  std::vector<std::vector<std::size_t>> chains;  // rows of each, all of one length
  std::vector<double> log_weights;               // of each row
  bool weighted = false;
  std::vector<std::string> notes;  // what was left out
  std::size_t length() const { return chains.empty() ? 0 : chains.front().size(); }
};

// A label as a name that other tools take.
std::string identifier(const std::string& label);

DrawTable read_draw_table(const std::string& directory);
// One chain of as many draws, picked by their weights (systematic resampling in the order of the
// draws).
DrawTable equally_weighted(const DrawTable& table, std::uint64_t seed);

}  // namespace chancel::report
