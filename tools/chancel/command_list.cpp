// SPDX-License-Identifier: Apache-2.0
#include "command_list.hpp"

namespace chancel::tool {

std::span<const Command> commands() {
  static constexpr Command kCommands[] = {
      {"infer", "FILE [QUERY]", "infer the posterior of a query and print a summary, or the draws",
       infer_command, true, false, true},
      {"summary", "DIR...", "summarise runs that were kept with infer --out", summary_command},
      {"compare", "DIR DIR...", "say which of several models of the same data predicts best",
       compare_command},
      {"report", "DIR", "make a page of charts of such a run", report_command},
      {"verify", "FILE [QUERY]",
       "say whether an engine is right on a program, by simulation from its prior", verify_command,
       true, false, true},
      {"convert", "DIR", "write such a run in the files of CmdStan, ArviZ or posteriordb",
       convert_command},
      {"run", "FILE", "evaluate a script or worksheet, or make a page of it", run_command, true},
      {"test", "[FILE...]", "run the tests of programs (deftest)", test_command, true},
      {"new", "NAME", "make a project: a model, its tests, a worksheet", new_command},
      {"check", "FILE...", "say what is wrong with a program, and which queries it has",
       check_command},
      {"repl", "", "evaluate forms interactively", repl_command, true},
      {"kernel", "--install", "make Chancel a kernel of Jupyter, for notebooks", kernel_command},
      {"dump", "FILE", "show a program as data, core or code", dump_command},
      {"docs", "NAME", "what a function, form, distribution, engine or message code is",
       docs_command},
      {"paper", "", "the experiments of the paper, as a page with charts", paper_command, true,
       true}};
  return kCommands;
}

}  // namespace chancel::tool
