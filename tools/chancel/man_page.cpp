// SPDX-License-Identifier: Apache-2.0
// Man pages, made from the parsers of the commands: what --help says, laid out by troff.
#include <fmt/format.h>

#include "chancel/chancel.hpp"
#include "command_list.hpp"
#include "option_parser.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

// Text that troff shows as it is: a backslash, a hyphen that is to be copied, a dot or quote at the start of a line.
std::string plain(std::string_view text) {
  std::string out;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '`') {
      out += "\\(ga";
    } else if (c == '"') {
      out += "\\(dq";
    } else {
      out += c;
    }
    at_start = c == '\n';
  }
  return out;
}

// Lines as they are.
std::string shown(const std::string& text) {
  return ".PP\n.nf\n.RS 2\n" + plain(text) + (text.ends_with('\n') ? "" : "\n") + ".RE\n.fi\n";
}

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

std::string heading(const std::string& name, const std::string& summary) {
  return fmt::format(".TH {} 1 \"\" \"chancel {}\" \"User commands\"\n.SH NAME\n{} \\- {}\n",
                     upper(plain(name)), version(), plain(name), plain(summary));
}

std::string common_end(const std::string& see_also) {
  return ".SH EXIT STATUS\n0 success, 64 wrong usage, 65 bad program or data, 66 no such file, 70 "
         "the "
         "run failed, 130 interrupted.\n.SH SEE ALSO\n" +
         see_also;
}

std::string options_part(const CommandDescription& command) {
  std::string out, group;
  for (const CommandDescription::Option& o : command.options) {
    if (o.group != group) {
      group = o.group;
      out += group == "Options" ? ".SH OPTIONS\n" : ".SH " + upper(plain(group)) + "\n";
    } else if (out.empty()) {
      out += ".SH OPTIONS\n";
    }
    std::string names;
    for (const std::string& name : o.names)
      names += (names.empty() ? "\\fB" : ", \\fB") + plain(name) + "\\fR";
    out += ".TP\n" + names +
           (o.placeholder.empty() ? "" : " \\fI" + plain(o.placeholder) + "\\fR") + "\n" +
           plain(o.doc) + "\n";
  }
  return out;
}

std::string program_page() {
  std::string out = heading("chancel", "run Anglican probabilistic programs");
  out +=
      ".SH SYNOPSIS\n\\fBchancel\\fR \\fICOMMAND\\fR ...\n.SH DESCRIPTION\n"
      "Describe how data were generated, observe them, and predict what you want to know: Chancel "
      "infers "
      "the posterior, by particle methods, Markov chains or enumeration, and says how far it can "
      "be "
      "trusted.\n.PP\nA program, its inference, and a page of charts:\n";
  out += shown(
      ";; coin.clj: how fair is a coin that fell heads, heads, tails?\n"
      "(defquery coin\n"
      "  (let [bias (sample (beta 1 1))]\n"
      "    (observe (flip bias) true)\n"
      "    (observe (flip bias) true)\n"
      "    (observe (flip bias) false)\n"
      "    (predict :bias bias)))\n\n"
      "$ chancel infer coin.clj --report coin.html\n");
  out += ".SH COMMANDS\n";
  for (const Command& command : commands())
    out +=
        fmt::format(".TP\n\\fBchancel {}\\fR \\fI{}\\fR\n{}; see \\fBchancel\\-{}\\fR(1)\n",
                    command.name, plain(command.arguments), plain(command.summary), command.name);
  out +=
      ".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nwhat the program, or a command, can do\n"
      ".TP\n\\fB\\-\\-version\\fR\nthe version, and who makes native code\n";
  std::string pages;
  for (const Command& command : commands())
    pages += fmt::format("{}\\fBchancel\\-{}\\fR(1)", pages.empty() ? "" : ", ", command.name);
  return out + common_end(pages + "\n");
}

}  // namespace

std::string man_page(const std::string& name) {
  if (name.empty()) return program_page();
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    names.push_back(command.name);
    if (name != command.name) continue;
    CommandDescription d;
    if (command.is_companion) {
      d.synopsis = fmt::format("chancel {} [options]", command.name);
      d.about = fmt::format("`chancel {} --help` lists the options.", command.name);
    } else {
      d = OptionParser::describe(command.run);
    }
    std::string out = heading(fmt::format("chancel-{}", command.name), command.summary);
    out += ".SH SYNOPSIS\n" + plain(d.synopsis) + "\n.SH DESCRIPTION\n" + plain(d.about) + "\n";
    out += options_part(d);
    if (!d.examples.empty()) out += ".SH EXAMPLES\n" + shown(d.examples);
    return out + common_end("\\fBchancel\\fR(1)\n");
  }
  throw UsageError(fmt::format("there is no command '{}'", name),
                   suggest(name, names, "the commands are " + join(names)));
}

}  // namespace chancel::tool
