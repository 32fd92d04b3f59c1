// SPDX-License-Identifier: Apache-2.0
// chancel dump --stage=read|core|passes|code FILE, or --pass NAME [--without NAMES]: what a program looks like inside.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

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
    "Prints a program as it looks at one stage: read (the data that the reader makes of it), core "
    "(the small\n"
    "language that all dialects become) or code (the instructions that are run); passes lists the "
    "passes between\n"
    "them and how long each takes. With --pass, the program after that pass: hoist, for example, "
    "is the one that\n"
    "engines ask for with :hoist true, and changes the order of lines. --pass segments shows the "
    "resume points of\n"
    "its queries with the types of their values, the points that follow, what happens between them "
    "(the segments),\n"
    "and the C that native code is compiled from (docs/native.md), --without some of its own "
    "passes; "
    "--pass machine shows\n"
    "the instructions of that.";

constexpr const char* kExamples =
    "  chancel dump --stage=core models/hmm/hmm.clj\n"
    "  chancel dump --stage=code models/hmm/hmm.vnt\n"
    "  chancel dump --stage=passes models/hmm/hmm.vnt\n"
    "  chancel dump --pass hoist models/hmm/hmm.vnt\n"
    "  chancel dump --pass segments models/hmm/hmm.clj\n"
    "  chancel dump --pass segments --without escape,cse models/hmm/hmm.clj\n";

}  // namespace

int dump_command(const Arguments& arguments) {
  ProgramOptions program;
  std::string file;
  std::string stage = "core";
  std::string pass, without;
  const std::vector<std::string> stages = {"read", "core", "passes", "code"};
  std::vector<std::string> passes;
  for (const PassInfo& p : compile_passes()) passes.push_back(p.name);
  passes.insert(passes.end(), {"segments", "machine"});
  OptionParser parser("chancel dump [--stage=STAGE | --pass PASS] FILE", kAbout, kExamples);
  parser.group("Options");
  parser.option("-s,--stage", &stage, "STAGE", "read, core, passes or code (core)", stages);
  parser.option("--pass", &pass, "PASS", join(passes), passes);
  std::vector<std::string> of_segments;
  for (const PassInfo& p : segment_passes()) of_segments.push_back(p.name);
  parser.option("--without", &without, "PASSES",
                "with --pass segments: leave out some of " + join(of_segments) +
                    ", with commas between them");
  program.declare_dialect(parser);
  program.declare_limits(parser);
  parser.positional("FILE", &file, true);
  if (!parser.parse(arguments)) return 0;
  if (std::find(stages.begin(), stages.end(), stage) == stages.end()) {
    throw UsageError(fmt::format("there is no stage '{}'", stage),
                     suggest(stage, stages, "the stages are " + join(stages)));
  }
  if (!pass.empty()) {
    if (std::find(passes.begin(), passes.end(), pass) == passes.end())
      throw UsageError(fmt::format("there is no pass '{}'", pass),
                       suggest(pass, passes, "the passes are " + join(passes)));
    stage = pass;
  }
  file = find_program(file).path;
  std::vector<std::string> left_out;
  std::istringstream names(without);
  for (std::string name; std::getline(names, name, ',');) left_out.push_back(name);
  for (const std::string& name : left_out)
    if (std::find(of_segments.begin(), of_segments.end(), name) == of_segments.end())
      throw UsageError(fmt::format("there is no pass '{}' of segments", name),
                       suggest(name, of_segments, "the passes are " + join(of_segments)));
  CompileOptions options = program.compile_options(input_name(file));
  options.output = write_error;
  std::string text =
      Model::compile(read_program(file, options.limits), options).dump(stage, left_out);
  if (!text.empty() && text.back() != '\n') text += '\n';
  write_output(text);
  return 0;
}

}  // namespace chancel::tool
