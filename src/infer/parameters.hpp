// SPDX-License-Identifier: Apache-2.0
// Static parameters of a query (:parameters): the draws before its first observe, or those that are
// named, by checkpoint id or line. A sweep can be given their values: its particles then take them
// instead of drawing. Given the other draws such a value is an observation from the draw's
// distribution, so that the evidence of the sweep is an unbiased estimate of p(parameters,
// observations); where all draws before the first observe are given, their distributions are the
// same in all particles and need no weight.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bytecode/program.hpp"
#include "diag/diagnostic.hpp"
#include "infer/history.hpp"
#include "infer/prefix.hpp"
#include "value/drawn_value.hpp"

namespace chancel {

struct OptionDef;

class ParameterChoice {
 public:
  ParameterChoice() = default;
  // "none", "auto" or the text of a vector: "[:phi 12]"; the last two words are checked before.
  ParameterChoice(std::string_view word, const Program& program);

  bool any() const { return automatic_ || !names_.empty(); }
  // The draws before the first observe that follows a draw: observes before all draws are the same
  // in all executions and belong to the prefix.
  bool automatic() const { return automatic_; }
  // Is this draw one? `early`: no observe comes before it.
  bool includes(std::uint32_t site, const Value& id, bool early) const;
  // What was named, for messages: of those, the first that no draw of the path has; empty: none.
  std::string unknown_in(const RetainedPath& path) const;

 private:
  struct Named {
    std::string text;  // an id, as it prints; empty: a line
    std::size_t line = 0;
  };
  bool matches(const Named& name, std::uint32_t site, const Value& id) const;
  std::size_t line_of(std::uint32_t site) const;

  const Program* program_ = nullptr;
  bool automatic_ = false, by_id_ = false;
  std::vector<Named> names_;
  std::vector<char> listed_;  // sites by line
};

struct GivenParameters {
  std::vector<DrawnValue> draws;  // in the order of the program, with their distributions
  bool weigh = true;  // their distributions may differ between particles, or the evidence is wanted

  // Those of a path whose draws were recorded.
  void take(const ParameterChoice& choice, const RetainedPath& path);
  // Those of an execution from the prior, if they come before all other draws and observes. False:
  // failure in the machine.
  bool draw(const ParameterChoice& choice, Executor& machine, const Prefix& prefix);
  void visit(Evacuator& e);
};

// Why the choice has no parameters on the first path of an engine, if that is so.
std::optional<Diagnostic> bad_parameters(const char* engine, const ParameterChoice& choice,
                                         const RetainedPath& path, bool observed);

// The option of an engine.
OptionDef parameters_option(bool by_default);

}  // namespace chancel
