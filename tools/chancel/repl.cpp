// SPDX-License-Identifier: Apache-2.0
// chancel repl: reads forms, evaluates them, prints their values. A form may go over several lines;
// Ctrl-C drops what was typed or stops what is running; an error leaves the session as it was. From
// a pipe there is no prompt.
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "chancel/chancel.hpp"
#include "command.hpp"
#include "console.hpp"
#include "input.hpp"
#include "line_editor.hpp"
#include "option_parser.hpp"
#include "program_options.hpp"
#include "signals.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

constexpr const char* kAbout =
    "Reads forms, evaluates them and prints their values. Tab completes names, the arrows bring "
    "back earlier\n"
    "lines, Ctrl-C drops a line or stops a run, Ctrl-D leaves. :doc NAME explains a function, "
    ":quit leaves.";

constexpr const char* kExamples =
    "  chancel repl\n"
    "  chancel repl model.clj                   start with the definitions of a file\n"
    "  echo '(sample* (normal 0 1))' | chancel repl\n";

constexpr const char* kGreeting =
    "Chancel {}. :doc NAME explains a function, :help the rest, Ctrl-D leaves.\n";

constexpr const char* kHelp =
    ":doc NAME     what a function or distribution does\n"
    ":load FILE    evaluate a file\n"
    ":quit         leave (also Ctrl-D)\n"
    "Anything else is evaluated. Try:\n"
    "  (sample* (normal 0 1))\n"
    "  (defquery coin (let [p (sample (beta 1 1))] (observe (flip p) true) p))\n"
    "  (mean (map :result (take 1000 (doquery :lmh coin nil))))\n";

std::string history_file() {
  if (const char* file = std::getenv("CHANCEL_HISTORY")) return file;
  const char* home = std::getenv("HOME");
  return home != nullptr && *home != '\0' ? std::string(home) + "/.chancel_history" : "";
}

class Repl {
 public:
  Repl(const CompileOptions& options, std::uint64_t seed, bool interactive)
      : interactive_(interactive),
        script_(options, seed),
        editor_(interactive, interactive ? history_file() : "",
                [this](std::string_view prefix) { return script_.completions(prefix); }) {}

  // False when something failed.
  bool evaluate(std::string text, const std::string& name, bool show) {
    bool ok = true;
    clear_interrupt();
    try {
      script_.evaluate(std::move(text), name, [&](const Script::Result& result) {
        if (show) write_output(result.text + "\n");
      });
    } catch (const Error& error) {
      for (const Message& message : error.messages()) show_message(message);
      exit_code_ = static_cast<int>(error.exit_code());
      ok = false;
    }
    clear_interrupt();
    flush_output();
    return ok;
  }

  int loop() {
    std::string text;
    std::string line;
    while (!quit_ && !output_is_closed()) {
      const LineEditor::Outcome outcome =
          editor_.read(text.empty() ? "chancel> " : "      .. ", &line);
      if (outcome == LineEditor::Outcome::Interrupted) {
        clear_interrupt();
        text.clear();
        if (!interactive_) return kInterruptedExit;
        continue;
      }
      if (outcome == LineEditor::Outcome::End) break;
      if (text.empty() && is_command(line)) continue;
      text += line + "\n";
      if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
        text.clear();
        continue;
      }
      if (!Script::is_complete(text)) continue;
      submit(text);
      text.clear();
    }
    if (!text.empty()) submit(text);  // the reader says what is not closed
    if (interactive_ && !quit_) write_output("\n");
    // A pipe is a script: its last failure is its exit code.
    return interactive_ ? 0 : exit_code_;
  }

 private:
  void submit(const std::string& text) {
    editor_.remember(text.substr(0, text.find_last_not_of('\n') + 1));
    evaluate(text, fmt::format("<input {}>", ++inputs_), true);
  }

  bool is_command(const std::string& line) {
    const std::size_t from = line.find_first_not_of(" \t");
    if (from == std::string::npos || line[from] != ':') return false;
    const std::size_t space = line.find_first_of(" \t", from);
    const std::string name = line.substr(from, space - from);
    std::string argument;
    if (space != std::string::npos) {
      argument = line.substr(line.find_first_not_of(" \t", space) == std::string::npos
                                 ? line.size()
                                 : line.find_first_not_of(" \t", space));
      argument.erase(argument.find_last_not_of(" \t\r") + 1);
    }
    if (name == ":quit" || name == ":exit" || name == ":q") {
      quit_ = true;
    } else if (name == ":help") {
      write_output(kHelp);
    } else if (name == ":doc" && !argument.empty()) {
      const std::string text = script_.documentation(argument);
      if (text.empty()) {
        show_error({fmt::format("nothing is known about '{}'", argument),
                    suggest(argument, script_.completions(""), ""), "F001"});
      } else {
        write_output(text + "\n");
      }
    } else if (name == ":load" && !argument.empty()) {
      try {
        evaluate(read_program(argument), argument, false);
      } catch (const UsageError& error) {
        show_error(error);
      }
    } else {
      return false;  // a keyword, to be evaluated
    }
    editor_.remember(line);
    flush_output();
    return true;
  }

  bool interactive_;
  Script script_;
  LineEditor editor_;
  std::size_t inputs_ = 0;
  int exit_code_ = 0;
  bool quit_ = false;
};

}  // namespace

int repl_command(const Arguments& arguments) {
  ProgramOptions program;
  std::string seed;
  std::string file;
  OptionParser parser("chancel repl [FILE] [options]", kAbout, kExamples);
  parser.positional("FILE", &file, false);
  parser.group("Options");
  parser.option("--seed", &seed, "N", "the same seed gives the same random numbers");
  program.declare_dialect(parser);
  program.declare_tier(parser);
  program.declare_limits(parser);
  if (!parser.parse(arguments)) return 0;

  CompileOptions options = program.compile_options("<input>");
  options.output = write_output;
  const bool interactive = input_is_terminal() && output_is_terminal();
  std::string text = file.empty() ? "" : read_program(file);
  Repl repl(options, seed_of(seed), interactive);
  if (interactive) write_output(fmt::format(kGreeting, version()));
  if (!file.empty()) repl.evaluate(std::move(text), input_name(file), false);
  return repl.loop();
}

}  // namespace chancel::tool
