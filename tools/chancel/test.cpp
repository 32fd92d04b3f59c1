// SPDX-License-Identifier: Apache-2.0
// chancel test FILE...: evaluates each file and runs the tests that it defines (deftest).
#include <fmt/format.h>

#include "chancel/chancel.hpp"
#include "command.hpp"
#include "console.hpp"
#include "input.hpp"
#include "option_parser.hpp"
#include "program_file.hpp"
#include "program_options.hpp"
#include "signals.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

constexpr const char* kAbout =
    "Evaluates each file as chancel run does, and runs the tests that it defines with deftest "
    "(clojure.test).\n"
    "FILE may be a namespace of the project around the current folder; without any, all files of "
    "its "
    "test paths\n"
    "are taken (project.clj, deps.edn; test otherwise). "
    "Failures are printed with their place, what was expected and what came out. Exit code 70 when "
    "one failed.";

constexpr const char* kExamples =
    "  chancel test model_test.clj\n"
    "  chancel test --seed 1 test/*.clj        the same random numbers each time\n"
    "  chancel test                            all tests of the project\n"
    "  chancel test bayes.model-test           those of one of its namespaces\n";

std::vector<std::string> project_tests() {
  const Project project = current_project("test");
  const std::vector<std::string> files = test_files(project);
  if (!files.empty()) return files;
  throw UsageError(fmt::format("{}: there is no .clj file in {}", project.file,
                               project.test_paths.empty() ? "test" : join(project.test_paths)),
                   "write tests in test/, or name files", "U002", ExitCode::NoInput);
}

}  // namespace

int test_command(const Arguments& arguments) {
  ProgramOptions program;
  std::vector<std::string> files;
  std::string seed;
  OptionParser parser("chancel test [options] [FILE...]", kAbout, kExamples);
  parser.group("Options");
  parser.option("--seed", &seed, "N",
                "the same seed gives the same random numbers; another each time otherwise");
  program.declare_tier(parser);
  program.declare_limits(parser);
  parser.rest("FILE", &files, false, false);
  if (!parser.parse(arguments)) return 0;

  const bool whole_project = files.empty();
  if (whole_project) files = project_tests();
  TestCounts total;
  int exit = 0;
  std::size_t with_tests = 0;
  for (const std::string& word : files) {
    const std::string file = find_program(word).path;
    note_project(file);
    CompileOptions options = program.compile_options(input_name(file));
    options.output = write_output;
    std::string text = read_program(file, options.limits);
    Script script(options, seed_of(seed));
    try {
      script.evaluate(std::move(text), input_name(file));
      const TestCounts counts = script.run_tests();
      const bool none = counts.tests + counts.passes + counts.failures + counts.errors == 0;
      with_tests += none ? 0 : 1;
      if (none && !whole_project) {
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
  if (whole_project && with_tests == 0 && exit == 0)
    throw UsageError("there are no tests in the project's test paths",
                     "write (deftest name (is ...)) in a file of test", "U002", ExitCode::NoInput);
  if (files.size() > 1) {
    write_output(fmt::format("\nAll files: {} tests, {} assertions, {} failures, {} errors.\n",
                             total.tests, total.passes + total.failures + total.errors,
                             total.failures, total.errors));
    flush_output();
  }
  return total.failures + total.errors > 0 ? static_cast<int>(ExitCode::Failed) : exit;
}

}  // namespace chancel::tool
