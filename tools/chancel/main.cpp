// SPDX-License-Identifier: Apache-2.0
// The program `chancel`: picks the command, and turns whatever goes wrong into a message and an
// exit code. Nothing is set up before the command asks for it, so that a small run takes
// milliseconds.
#include <fmt/format.h>

#include <new>
#include <string>
#include <utility>

#include "chancel/chancel.hpp"
#include "command.hpp"
#include "console.hpp"
#include "guarded.hpp"
#include "signals.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

struct Command {
  const char* name;
  int (*run)(const Arguments&);
  bool runs_programs = false;  // and stops them when asked to
};

constexpr Command kCommands[] = {{"infer", infer_command, true}, {"run", run_command, true},
                                 {"check", check_command},       {"dump", dump_command},
                                 {"repl", repl_command, true},   {"docs", docs_command},
                                 {"summary", summary_command},   {"report", report_command},
                                 {"compare", compare_command},   {"convert", convert_command},
                                 {"paper", paper_command, true}, {"verify", verify_command, true},
                                 {"kernel", kernel_command}};

constexpr const char* kHelp = R"(usage: chancel COMMAND ...

Chancel runs Anglican probabilistic programs. Describe how the data were generated, observe them, and predict
what you want to know:

  ;; coin.clj: how fair is a coin that fell heads, heads, tails, heads?
  (defquery coin
    (let [bias (sample (beta 1 1))]
      (observe (flip bias) true)
      (observe (flip bias) true)
      (observe (flip bias) false)
      (observe (flip bias) true)
      (predict :bias bias)))

  chancel infer coin.clj -a smc --particles 1000 -n 10000

Commands
  infer FILE [QUERY]    infer the posterior of a query and print a summary, or the draws
  summary DIR...        summarise runs that were kept with infer --out
  compare DIR DIR...    say which of several models of the same data predicts best
  report DIR            make a page of charts of such a run
  verify FILE [QUERY]   say whether an engine is right on a program, by simulation from its prior
  convert DIR           write such a run in the files of CmdStan, ArviZ or posteriordb
  run FILE              evaluate a script or worksheet, or make a page of it
  check FILE...         say what is wrong with a program, and which queries it has
  repl                  evaluate forms interactively
  kernel --install      make Chancel a kernel of Jupyter, for notebooks
  dump FILE             show a program as data, core or code
  docs NAME             what a function, form, distribution, engine or message code is
  paper                 the experiments of the paper, as a page with figures

`chancel COMMAND --help` has the options and examples of each.
  -h, --help            this text
  --version             the version
)";

int dispatch(const Arguments& words) {
  if (words.empty()) {
    write_error(kHelp);
    return static_cast<int>(ExitCode::Usage);
  }
  std::string name = words.front();
  Arguments rest(words.begin() + 1, words.end());
  if (name == "--version" || name == "-V" || name == "version") {
    const std::string compiler = native_compiler();
    write_output(fmt::format(
        "chancel {}\n{}\n", version(),
        compiler.empty() ? "no C compiler: everything is interpreted (the draws are the same)"
                         : "native code by " + compiler));
    return 0;
  }
  if (name == "--help" || name == "-h" || name == "help") {
    if (name != "help" || rest.empty()) {
      write_output(kHelp);
      return 0;
    }
    name = rest.front();
    rest = {"--help"};
  }
  std::vector<std::string> names;
  for (const Command& command : kCommands) {
    if (name == command.name) {
      if (command.runs_programs) stop_gently();
      return command.run(rest);
    }
    names.push_back(command.name);
  }
  if (name[0] == '-') {
    throw UsageError(fmt::format("unknown option {}", name),
                     "chancel --help lists the commands; options come after them");
  }
  const bool looks_like_file = name.find_first_of("./") != std::string::npos;
  throw UsageError(fmt::format("there is no command '{}'", name),
                   looks_like_file
                       ? fmt::format("chancel infer {} infers a query of that file", name)
                       : suggest(name, names, "the commands are " + join(names)));
}

}  // namespace
}  // namespace chancel::tool

int main(int count, char** words) {
  chancel::tool::install_signal_handlers();
  const chancel::tool::Arguments arguments(words + (count > 0 ? 1 : 0), words + count);
  return chancel::tool::guarded([&] { return chancel::tool::dispatch(arguments); });
}
