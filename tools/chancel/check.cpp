// SPDX-License-Identifier: Apache-2.0
// chancel check FILE...: every diagnostic, the dialect, the queries and their parameters; nothing
// is run.
#include <fmt/format.h>

#include "chancel/chancel.hpp"
#include "command.hpp"
#include "console.hpp"
#include "input.hpp"
#include "option_parser.hpp"
#include "program_file.hpp"
#include "program_options.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

constexpr const char* kAbout =
    "Reads and checks programs without running them: prints the dialect of each, its queries with "
    "their\n"
    "parameters, and everything that is wrong with it.";

constexpr const char* kExamples =
    "  chancel check models/hmm/hmm.clj\n"
    "  chancel check models/*/*.clj models/*/*.vnt\n"
    "  chancel check --dialect textbook model.clj\n";

std::string query_line(const QueryInfo& query) {
  std::string parameters;
  for (const std::string& name : query.parameters)
    parameters += (parameters.empty() ? "" : " ") + name;
  std::string out = fmt::format("  {} ", query.name);
  out += query.takes_whole_value ? (parameters.empty() ? "value" : parameters)
                                 : "[" + parameters + "]";
  if (query.line > 0) out += fmt::format("  line {}", query.line);
  if (query.has_default_value) out += fmt::format(", argument from {}-value", query.name);
  if (!query.doc.empty()) out += fmt::format("\n    {}", query.doc.substr(0, query.doc.find('\n')));
  return out + "\n";
}

}  // namespace

int check_command(const Arguments& arguments) {
  ProgramOptions program;
  std::vector<std::string> files;
  bool quiet = false;
  OptionParser parser("chancel check FILE... [options]", kAbout, kExamples);
  parser.group("Options");
  program.declare_dialect(parser);
  parser.flag("-q,--quiet", &quiet, "print messages only");
  program.declare_limits(parser);
  parser.rest("FILE", &files, true, false);
  if (!parser.parse(arguments)) return 0;

  int code = 0;
  for (const std::string& word : files) {
    const std::string file = find_program(word).path;
    note_project(file, quiet);
    try {
      const CompileOptions options = program.compile_options(input_name(file));
      const CheckResult result = check(read_program(file, options.limits), options);
      std::size_t errors = 0;
      bool stopped = false;  // by a limit: that is not a mistake of the program
      for (const Message& message : result.messages) {
        show_message(message);
        errors += message.error ? 1 : 0;
        stopped = stopped || (message.error && message.code[0] == 'L');
      }
      if (!quiet) {
        write_output(fmt::format(
            "{}: {}, {}\n", input_name(file), result.dialect,
            result.ok ? "fine" : fmt::format("{} error{}", errors, errors == 1 ? "" : "s")));
        for (const QueryInfo& query : result.queries) write_output(query_line(query));
      }
      if (!result.ok && code == 0)
        code = static_cast<int>(stopped ? ExitCode::Failed : ExitCode::BadInput);
    } catch (const UsageError& error) {
      if (error.exit_code() != ExitCode::NoInput) throw;
      show_error(error);  // the other files are still checked
      code = static_cast<int>(ExitCode::NoInput);
    }
  }
  return code;
}

}  // namespace chancel::tool
