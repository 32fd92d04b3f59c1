// SPDX-License-Identifier: Apache-2.0
// What users type at the prompt or into a cell of a notebook besides forms: lines that begin with
// a colon (:infer QUERY options, :doc NAME, :load FILE, :dialect NAME), and questions about names in
// the shape of Clojure's, (doc NAME), (source NAME), (apropos "part"). The prompt and the kernel show
// the answers, each in its way.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "chancel/chancel.hpp"
#include "chancel/summary.hpp"

namespace chancel::tool {

struct PromptCommand {
  std::string name;      // ":infer"
  std::string argument;  // the rest, without blanks at its ends
};
// Nothing: a form, to be evaluated. The words help, quit and exit are commands too, bare or in brackets,
// unless the script has defined them.
std::optional<PromptCommand> prompt_command(const Script& script, const std::string& line);

// What :help says.
extern const char* const kPromptHelp;

// The text about a name. Throws UsageError with a guess when nothing is known.
std::string doc_text(const Script& script, const std::string& name);
std::string source_text(const Script& script, const std::string& name);
std::string apropos_text(const Script& script, const std::string& part);

// A run of a query that the script has defined. Its draws are the value of *draws* afterwards.
struct PromptRun {
  RunInfo info;
  Summary summary;
  RunStatistics statistics;
  std::uint64_t draws = 0;
  bool labels = false;  // every element in the table
  std::optional<Error> failure;
};
struct PromptRunEvents {
  std::function<void(const RunInfo&, const RunStatistics&)> begins;
  std::function<void(std::uint64_t draws)> draw;
  std::function<void(const Barrier&)> barrier;
};
// `words`: "coin -a smc -n 1000". Throws UsageError and Error before the run begins. Nothing: help
// was asked for, and is in *help.
std::optional<PromptRun> run_query(Script& script, const std::string& words, const Limits& limits,
                                   const Interrupt& interrupt, const PromptRunEvents& events,
                                   std::string* help);

}  // namespace chancel::tool
