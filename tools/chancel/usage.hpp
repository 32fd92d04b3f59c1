// SPDX-License-Identifier: Apache-2.0
// A mistake on the command line, and the message for it: the same look as all others, without a
// place.
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "chancel/chancel.hpp"

namespace chancel::tool {

class UsageError : public std::runtime_error {
 public:
  UsageError(const std::string& message, std::string hint, const char* code = "U001",
             ExitCode exit_code = ExitCode::Usage)
      : std::runtime_error(message), hint_(std::move(hint)), code_(code), exit_code_(exit_code) {}
  const std::string& hint() const { return hint_; }
  const char* code() const { return code_; }
  ExitCode exit_code() const { return exit_code_; }

 private:
  std::string hint_;
  const char* code_;
  ExitCode exit_code_;
};

// "did you mean X? " or nothing, then `otherwise`.
std::string suggest(std::string_view word, const std::vector<std::string>& candidates,
                    const std::string& otherwise);
std::string join(const std::vector<std::string>& words, std::string_view between = ", ");

// Shows messages on stderr: those of a program with their place, others after "chancel: ".
void show_error(const UsageError& error);
void show_message(const Message& message);

}  // namespace chancel::tool
