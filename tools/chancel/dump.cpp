// SPDX-License-Identifier: Apache-2.0
// chancel dump --stage=read|core|code FILE, or --pass hoist: what a program looks like inside.
#include <fmt/format.h>

#include <algorithm>

#include "chancel/chancel.hpp"
#include "command.hpp"
#include "console.hpp"
#include "input.hpp"
#include "option_parser.hpp"
#include "program_options.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

constexpr const char* kAbout =
    "Prints a program as it looks at one stage: read (the data that the reader makes of it), core "
    "(the small\n"
    "language that all dialects become) or code (the instructions that are run). With --pass "
    "hoist, the "
    "core of\n"
    "its queries after the pass that engines ask for with :hoist true, which changes the order of "
    "lines; with\n"
    "--pass segments, the resume points of its queries with the types of their values, the points "
    "that follow,\n"
    "and the C that native code is compiled from (docs/native.md); with --pass machine, the "
    "instructions of\n"
    "that.";

constexpr const char* kExamples =
    "  chancel dump --stage=core models/hmm/hmm.clj\n"
    "  chancel dump --stage=code models/hmm/hmm.vnt\n"
    "  chancel dump --pass hoist models/hmm/hmm.vnt\n"
    "  chancel dump --pass segments models/hmm/hmm.clj\n";

}  // namespace

int dump_command(const Arguments& arguments) {
  ProgramOptions program;
  std::string file;
  std::string stage = "core";
  std::string pass;
  OptionParser parser("chancel dump [--stage=STAGE | --pass PASS] FILE", kAbout, kExamples);
  parser.group("Options");
  parser.option("-s,--stage", &stage, "STAGE", "read, core or code (core)",
                {"read", "core", "code"});
  parser.option("--pass", &pass, "PASS", "hoist, segments or machine",
                {"hoist", "segments", "machine"});
  program.declare_dialect(parser);
  program.declare_limits(parser);
  parser.positional("FILE", &file, true);
  if (!parser.parse(arguments)) return 0;
  const std::vector<std::string> stages = {"read", "core", "code"};
  if (std::find(stages.begin(), stages.end(), stage) == stages.end()) {
    throw UsageError(fmt::format("there is no stage '{}'", stage),
                     suggest(stage, stages, "the stages are " + join(stages)));
  }
  if (!pass.empty()) {
    if (pass != "hoist" && pass != "segments" && pass != "machine")
      throw UsageError(fmt::format("there is no pass '{}' to be shown", pass),
                       "the passes are hoist, segments and machine");
    stage = pass;
  }
  CompileOptions options = program.compile_options(input_name(file));
  options.output = write_error;
  std::string text = Model::compile(read_program(file), options).dump(stage);
  if (!text.empty() && text.back() != '\n') text += '\n';
  write_output(text);
  return 0;
}

}  // namespace chancel::tool
