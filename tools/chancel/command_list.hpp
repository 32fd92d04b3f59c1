// SPDX-License-Identifier: Apache-2.0
// All commands of the program: what `chancel --help`, man pages and shell completion are made of.
#pragma once
#include <span>

#include "command.hpp"

namespace chancel::tool {

struct Command {
  const char* name;
  const char* arguments;  // "FILE [QUERY]"
  const char* summary;
  int (*run)(const Arguments&);
  bool runs_programs = false;  // and stops them when asked to
  bool is_companion = false;   // another program has its options
  bool spreads = false;        // over the processes that mpirun has started
};
std::span<const Command> commands();

// The man page of a command, or of the program when `command` is empty, in the language of troff; man(7).
std::string man_page(const std::string& command);
// A script that teaches "bash", "zsh" or "fish" the commands, their options, and the words that options take.
std::string completion(const std::string& shell);

}  // namespace chancel::tool
