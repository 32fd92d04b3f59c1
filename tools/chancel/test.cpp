// SPDX-License-Identifier: Apache-2.0
// chancel test FILE...: evaluates each file and runs the tests that it defines (deftest).
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
    "Evaluates each file as chancel run does, and runs the tests that it defines with deftest "
    "(clojure.test).\n"
    "Failures are printed with their place, what was expected and what came out. Exit code 70 when "
    "one failed.";

constexpr const char* kExamples =
    "  chancel test model_test.clj\n"
    "  chancel test --seed 1 test/*.clj        the same random numbers each time\n";

}  // namespace

int test_command(const Arguments& arguments) {
  ProgramOptions program;
  std::vector<std::string> files;
  std::string seed;
  OptionParser parser("chancel test [options] FILE...", kAbout, kExamples);
  parser.group("Options");
  parser.option("--seed", &seed, "N",
                "the same seed gives the same random numbers; another each time otherwise");
  program.declare_tier(parser);
  program.declare_limits(parser);
  parser.rest("FILE", &files, true, false);
  if (!parser.parse(arguments)) return 0;

  TestCounts total;
  int exit = 0;
  for (const std::string& file : files) {
    CompileOptions options = program.compile_options(input_name(file));
    options.output = write_output;
    std::string text = read_program(file);
    Script script(options, seed_of(seed));
    try {
      script.evaluate(std::move(text), input_name(file));
      const TestCounts counts = script.run_tests();
      if (counts.tests == 0 && counts.passes + counts.failures + counts.errors == 0) {
        write_error(
            fmt::format("{}: there are no tests in it\nhint: write (deftest name (is ...))\n",
                        input_name(file)));
        if (exit == 0) exit = static_cast<int>(ExitCode::BadInput);
      }
      total.tests += counts.tests;
      total.passes += counts.passes;
      total.failures += counts.failures;
      total.errors += counts.errors;
    } catch (const Error& error) {
      if (output_is_closed()) return 0;
      flush_output();
      for (const Message& message : error.messages()) show_message(message);
      if (user_interrupt().requested()) return kInterruptedExit;
      if (exit == 0) exit = static_cast<int>(error.exit_code());
    }
    flush_output();
  }
  if (files.size() > 1) {
    write_output(fmt::format("\nAll files: {} tests, {} assertions, {} failures, {} errors.\n",
                             total.tests, total.passes + total.failures + total.errors,
                             total.failures, total.errors));
    flush_output();
  }
  return total.failures + total.errors > 0 ? static_cast<int>(ExitCode::Failed) : exit;
}

}  // namespace chancel::tool
