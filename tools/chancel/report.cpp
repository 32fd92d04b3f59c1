// SPDX-License-Identifier: Apache-2.0
// chancel report DIR: a kept run as one page for a browser.
#include <sstream>
#include <string>
#include <vector>

#include "chancel/report_page.hpp"
#include "command.hpp"
#include "console.hpp"
#include "option_parser.hpp"

namespace chancel::tool {
namespace {

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

}  // namespace

int report_command(const Arguments& arguments) {
  std::string directory, out, pairs;
  OptionParser parser(
      "chancel report DIR [-o FILE] [--pairs LABELS]",
      "Makes a page of a run that was kept with `chancel infer ... --out DIR`: charts of every "
      "label, "
      "what happened at\nthe observes, the program, the summary. One file that needs no network.",
      "  chancel report runs/1\n      runs/1/report.html\n"
      "  chancel report runs/1 -o hmm.html\n"
      "  chancel report runs/1 --pairs mu,tau,theta\n");
  parser.positional("DIR", &directory, true);
  parser.group("Output");
  parser.option("-o,--output", &out, "FILE", "the page; DIR/report.html when not given");
  parser.option("--pairs", &pairs, "LABELS",
                "of the pair plot, with commas between them; else those that show most");
  if (!parser.parse(arguments)) return 0;
  const std::string path = out.empty() ? directory + "/report.html" : out;
  write_report_page(directory, path, parts_of(pairs));
  write_output(path + "\n");
  return 0;
}

}  // namespace chancel::tool
