// SPDX-License-Identifier: Apache-2.0
// chancel run FILE [ARGUMENTS]: evaluates a script from top to bottom; only what it prints is
// printed.
#include <fmt/format.h>

#include "chancel/chancel.hpp"
#include "command.hpp"
#include "console.hpp"
#include "input.hpp"
#include "option_parser.hpp"
#include "program_options.hpp"
#include "signals.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

constexpr const char* kAbout =
    "Evaluates the forms of a script in order. Only what the script prints is printed. Words "
    "after FILE are the\n"
    "script's: it finds them in *command-line-args*. Inference inside a script: (doquery :smc "
    "query value).";

constexpr const char* kExamples =
    "  chancel run worksheet.clj\n"
    "  chancel run --show worksheet.clj        also print the value of each form\n"
    "  chancel run --seed 1 simulate.clj 100   with an argument, and the same random numbers each "
    "time\n"
    "  echo '(println (+ 1 2))' | chancel run -\n";

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace

int run_command(const Arguments& arguments) {
  ProgramOptions program;
  std::string file;
  std::string seed;
  bool show = false, keep_going = false;
  std::vector<std::string> words;
  OptionParser parser("chancel run [options] FILE [ARGUMENTS]", kAbout, kExamples);
  parser.group("Options");
  parser.flag("--show", &show, "print the value of each form");
  parser.flag("--keep-going", &keep_going,
              "continue after a form that fails; exit code 65 at the end");
  parser.option("--seed", &seed, "N",
                "the same seed gives the same random numbers; another each time otherwise");
  program.declare_dialect(parser);
  program.declare_tier(parser);
  program.declare_limits(parser);
  parser.positional("FILE", &file, true);
  parser.rest("ARGUMENTS", &words, false, true);
  if (!parser.parse(arguments)) return 0;

  CompileOptions options = program.compile_options(input_name(file));
  options.output = write_output;
  std::string text = read_program(file);
  Script script(options, seed_of(seed));
  std::string list;
  for (const std::string& word : words) list += " " + quoted(word);
  script.evaluate("(def *command-line-args* (list" + list + "))", "<arguments>");
  const auto show_value = [&](const Script::Result& result) {
    if (show) write_output(result.text + "\n");
  };
  const auto show_failure = [](const Error& error) {
    for (const Message& message : error.messages()) show_message(message);
  };
  bool failed = false;
  std::function<void(const Error&)> on_error;
  if (keep_going)
    on_error = [&](const Error& error) {
      failed = true;
      show_failure(error);
    };
  try {
    script.evaluate(std::move(text), input_name(file), show_value, on_error);
  } catch (const Error& error) {
    if (output_is_closed()) return 0;
    show_failure(error);
    return user_interrupt().requested() ? kInterruptedExit : static_cast<int>(error.exit_code());
  }
  flush_output();
  return failed ? static_cast<int>(ExitCode::BadInput) : 0;
}

}  // namespace chancel::tool
