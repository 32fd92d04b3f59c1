// SPDX-License-Identifier: Apache-2.0
#include "report/file_error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "chancel/chancel.hpp"

namespace chancel::report {
namespace {

[[noreturn]] void raise(const char* code, ExitCode exit_code, const std::string& what,
                        const std::string& hint) {
  Message message;
  message.code = code;
  message.message = what;
  message.hint = hint;
  message.text = fmt::format("error[{}]: {}", code, what);
  if (!hint.empty()) message.text += "\nhint: " + hint;
  throw Error({message}, exit_code);
}

std::string reason(std::string why) {
  if (!why.empty()) return why;
  return errno == ENOENT ? "there is no such file" : std::strerror(errno);
}

}  // namespace

void throw_unreadable(const std::string& path, std::string why, const std::string& hint) {
  raise("U002", ExitCode::NoInput, fmt::format("cannot read {}: {}", path, reason(std::move(why))),
        hint);
}
void throw_unwritable(const std::string& path, std::string why, const std::string& hint) {
  raise("U004", ExitCode::Failed, fmt::format("cannot write {}: {}", path, reason(std::move(why))),
        hint);
}
void throw_malformed(const std::string& path, const std::string& why, const std::string& hint) {
  raise("U003", ExitCode::BadInput, fmt::format("{}: {}", path, why), hint);
}

}  // namespace chancel::report
