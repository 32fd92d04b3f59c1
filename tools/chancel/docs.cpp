// SPDX-License-Identifier: Apache-2.0
// chancel docs NAME: what a function, form, distribution, engine or message code is. chancel docs
// errors|library|engines: reference pages as Markdown, made from the lists that the program itself
// works with; scripts/generate_docs.py writes them into docs/.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "chancel/chancel.hpp"
#include "command_list.hpp"
#include "console.hpp"
#include "option_parser.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

constexpr const char* kGenerated =
    "<!-- Made by scripts/generate_docs.py: change the source, not this file. -->\n";

std::string cell(std::string text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') text[i] = ' ';
    if (text[i] == '|' || text[i] == '<' || text[i] == '*') text.insert(i++, 1, '\\');
  }
  return text;
}

std::string errors_page() {
  static const std::pair<char, const char*> kStages[] = {
      {'S', "Syntax: reading the text"},
      {'F', "Front end: forms and names"},
      {'C', "Compiling"},
      {'R', "Running"},
      {'D', "Distributions and their parameters"},
      {'I', "Inference: engines, options, weights"},
      {'L', "Limits"},
      {'U', "Usage and input files"},
      {'X', "Our own mistakes"}};
  std::string out =
      std::string("# Messages\n\n") + kGenerated +
      "\nEvery message has a code. Errors in a program come with file, line, column and a caret. "
      "Exit codes: 64 wrong\n"
      "usage, 65 bad program or data, 66 no such file, 70 the run failed, 130 interrupted.\n";
  const std::vector<ErrorCode> codes = error_codes();
  for (const auto& [letter, title] : kStages) {
    out += fmt::format("\n## {}\n\n| code | title | what it means |\n|---|---|---|\n", title);
    for (const ErrorCode& code : codes) {
      if (code.code[0] == letter) {
        out +=
            fmt::format("| {} | {} | {} |\n", code.code, cell(code.title), cell(code.explanation));
      }
    }
  }
  return out;
}

std::string library_page() {
  static const std::pair<const char*, const char*> kKinds[] = {{"form", "Special forms and macros"},
                                                               {"distribution", "Distributions"},
                                                               {"process", "Processes"},
                                                               {"function", "Functions"},
                                                               {"constant", "Constants"}};
  std::string out = std::string("# The library\n\n") + kGenerated;
  const std::vector<FunctionInfo> all = library();
  for (const auto& [kind, title] : kKinds) {
    const auto is_kind = [&, name = std::string(kind)](const FunctionInfo& f) {
      return f.kind == name;
    };
    if (std::none_of(all.begin(), all.end(), is_kind)) continue;
    out += fmt::format("\n## {}\n\n| name | arguments | |\n|---|---|---|\n", title);
    for (const FunctionInfo& f : all) {
      if (!is_kind(f)) continue;
      const std::string signature = f.signature.empty() ? "" : "`" + f.signature + "`";
      out += fmt::format("| `{}` | {} | {} |\n", f.name, signature, cell(f.doc));
    }
  }
  return out;
}

std::string engines_page() {
  std::string out =
      std::string("# Engines and their options\n\n") + kGenerated +
      "\nChoose one with `-a NAME`; give options as `-o ':name value'` (`--particles N` is short "
      "for\n"
      "`-o ':number-of-particles N'`). In scripts: `(doquery :name query value :option value)`.\n";
  for (const EngineInfo& engine : engines()) {
    out += fmt::format("\n## {}\n\n{}\n", engine.name, engine.summary);
    if (engine.options.empty()) continue;
    out += "\n| option | values | |\n|---|---|---|\n";
    for (const EngineInfo::Option& option : engine.options) {
      out +=
          fmt::format("| `:{}` | {} | {} |\n", option.name, cell(option.values), cell(option.doc));
    }
  }
  return out;
}

std::string engine_text(const EngineInfo& engine) {
  std::string out = fmt::format("{}: engine\n  {}\n", engine.name, engine.summary);
  for (const EngineInfo::Option& option : engine.options)
    out += fmt::format("  :{}  {}\n      {}\n", option.name, option.values, option.doc);
  return out;
}

// All that has this name: a function, a distribution, an engine, a code may share one.
std::string about(const std::string& name, std::vector<std::string>* names) {
  std::string out;
  for (const FunctionInfo& f : library()) {
    names->push_back(f.name);
    if (f.name != name) continue;
    out += fmt::format("{}: {}\n", f.name, f.kind);
    if (!f.signature.empty()) out += fmt::format("  {}\n", f.signature);
    if (!f.doc.empty()) out += fmt::format("  {}\n", f.doc);
  }
  for (const EngineInfo& engine : engines()) {
    names->push_back(engine.name);
    if (engine.name == name) out += engine_text(engine);
  }
  for (const ErrorCode& code : error_codes())
    if (code.code == name)
      out += fmt::format("{}: message\n  {}\n  {}\n", code.code, code.title, code.explanation);
  return out;
}

}  // namespace

int docs_command(const Arguments& arguments) {
  std::string page, which;
  OptionParser parser(
      "chancel docs NAME",
      "What a function, special form, distribution, engine or message code is.\n"
      "chancel docs library, engines and errors list them all.",
      "  chancel docs normal\n"
      "  chancel docs pgibbs\n"
      "  chancel docs F001\n"
      "  chancel docs man infer             the man page of a command, or of chancel\n"
      "  chancel docs completion bash       or zsh, fish: what the shell needs to complete "
      "commands\n"
      "      source <(chancel docs completion bash)\n");
  parser.positional("NAME", &page, false);
  parser.positional("WHICH", &which, false);
  Arguments words = arguments;  // names may look like options: -> and ->>
  if (!words.empty() && words.front() != "--help" && words.front() != "-h")
    words.insert(words.begin(), "--");
  if (!parser.parse(words)) return 0;
  if (page == "errors") {
    write_output(errors_page());
  } else if (page == "library") {
    write_output(library_page());
  } else if (page == "engines") {
    write_output(engines_page());
  } else if (page == "man") {
    write_output(man_page(which));
  } else if (page == "completion") {
    write_output(completion(which));
  } else if (page.empty()) {
    write_output(parser.help());
  } else {
    std::vector<std::string> names;
    const std::string text = about(page, &names);
    if (text.empty())
      throw UsageError(fmt::format("there is nothing of the name '{}'", page),
                       suggest(page, names, "chancel docs library lists all names"));
    write_output(text);
  }
  return 0;
}

}  // namespace chancel::tool
