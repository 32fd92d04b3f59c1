// SPDX-License-Identifier: Apache-2.0
// Completion for shells, made from the parsers of the commands: commands, options of each, and the words that an
// option takes. Arguments and other values are completed as names of files.
#include <fmt/format.h>

#include "command_list.hpp"
#include "option_parser.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

struct Described {
  const Command* command;
  CommandDescription description;
};

std::vector<Described> all_commands() {
  std::vector<Described> out;
  for (const Command& command : commands()) {
    CommandDescription d;
    if (!command.is_companion) d = OptionParser::describe(command.run);
    d.options.push_back({"", {"-h", "--help"}, "", "show what the command can do", {}});
    if (std::string_view(command.name) == "docs") d.arguments = {"library", "engines", "errors"};
    out.push_back({&command, std::move(d)});
  }
  return out;
}

// Whether the value of an option, or an argument, may be the name of a file.
bool takes_file(const std::string& placeholder) {
  return placeholder == "FILE" || placeholder == "DIR" || placeholder == "STEM";
}

// Within single quotes of a shell. Fish has escapes in them.
std::string quoted(std::string_view text, bool fish = false) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += fish ? "\\'" : "'\\''";
    } else if (c == '\\' && fish) {
      out += "\\\\";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string command_names() {
  std::string out;
  for (const Command& command : commands())
    out += fmt::format("{}{}", out.empty() ? "" : " ", command.name);
  return out;
}

std::string bash() {
  std::string out = R"(# Completion of chancel for bash, made by `chancel docs completion bash`.
_chancel() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} options= values=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ')" +
                    command_names() +
                    R"( --help --version' -- "$word"))
    return
  fi
  case $command in
)";
  for (const Described& d : all_commands()) {
    std::string options, values;
    for (const CommandDescription::Option& o : d.description.options) {
      std::string patterns;
      for (const std::string& name : o.names) {
        options += (options.empty() ? "" : " ") + name;
        patterns += (patterns.empty() ? "" : "|") + name;
      }
      if (o.placeholder.empty() || takes_file(o.placeholder)) continue;
      values += fmt::format("        {}) values='{}'; [[ $values ]] || return ;;\n", patterns,
                            fmt::format("{}", fmt::join(o.choices, " ")));
    }
    out += fmt::format("    {})\n      options='{}'\n", d.command->name, options);
    if (!values.empty()) out += "      case $before in\n" + values + "      esac\n";
    out += "      ;;\n";
  }
  out += R"(  esac
  if [[ $values ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$word"))
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  else
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -F _chancel chancel
)";
  return out;
}

// In _arguments: brackets and colons have a meaning.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh() {
  std::string out = R"(#compdef chancel
# Completion of chancel for zsh, made by `chancel docs completion zsh`.
_chancel() {
  local context state line
  local -a commands
  commands=(
)";
  for (const Command& command : commands())
    out += fmt::format("    {}\n",
                       quoted(fmt::format("{}:{}", command.name, zsh_text(command.summary))));
  out += R"(  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
)";
  for (const Described& d : all_commands()) {
    out += fmt::format("    {})\n      _arguments", d.command->name);
    for (const CommandDescription::Option& o : d.description.options) {
      for (const std::string& name : o.names) {
        std::string spec = name + "[" + zsh_text(o.doc) + "]";
        if (!o.placeholder.empty()) {
          spec += ":" + zsh_text(o.placeholder) + ":";
          if (!o.choices.empty()) {
            spec += fmt::format("({})", fmt::join(o.choices, " "));
          } else if (takes_file(o.placeholder)) {
            spec += "_files";
          }
        }
        out += " \\\n        " + quoted(spec);
      }
    }
    out += " \\\n        '*:file:_files'\n      ;;\n";
  }
  return out + "  esac\n}\n_chancel \"$@\"\n";
}

std::string fish() {
  std::string out = "# Completion of chancel for fish, made by `chancel docs completion fish`.\n";
  for (const Command& command : commands())
    out += fmt::format("complete -c chancel -n __fish_use_subcommand -f -a {} -d {}\n",
                       command.name, quoted(command.summary, true));
  for (const Described& d : all_commands()) {
    for (const CommandDescription::Option& o : d.description.options) {
      out +=
          fmt::format("complete -c chancel -n '__fish_seen_subcommand_from {}'", d.command->name);
      for (const std::string& name : o.names)
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!o.choices.empty()) {
        out += fmt::format(" -x -a {}", quoted(fmt::format("{}", fmt::join(o.choices, " ")), true));
      } else if (!o.placeholder.empty()) {
        out += takes_file(o.placeholder) ? " -r -F" : " -x";
      }
      out += " -d " + quoted(o.doc, true) + "\n";
    }
  }
  return out;
}

}  // namespace

std::string completion(const std::string& shell) {
  if (shell == "bash") return bash();
  if (shell == "zsh") return zsh();
  if (shell == "fish") return fish();
  throw UsageError(
      shell.empty() ? "which shell?" : fmt::format("there is no completion for '{}'", shell),
      suggest(shell, {"bash", "zsh", "fish"}, "the shells are bash, zsh, fish"));
}

}  // namespace chancel::tool
