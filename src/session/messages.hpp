// SPDX-License-Identifier: Apache-2.0
// Diagnostics as public messages, and errors made of them.
#pragma once
#include "chancel/chancel.hpp"
#include "diag/diagnostic.hpp"
#include "vm/stop.hpp"

namespace chancel {
Message to_message(const Diagnostic& d, const SourceMap& sources, bool colour);
std::vector<Message> to_messages(const DiagnosticSink& sink, const SourceMap& sources, bool colour);
[[noreturn]] void throw_errors(const DiagnosticSink& sink, const SourceMap& sources, bool colour);
[[noreturn]] void throw_error(Code code, std::string message, std::string hint, ExitCode exit_code);
ExitCode exit_code_of(Code code);

// Work of the public interface: that memory has run out is an Error like others.
template <class Work>
auto memory_checked(Work&& work) {
  std::optional<decltype(work())> out;
  if (const auto full = within_memory([&] { out.emplace(work()); }))
    throw_error(full->code, full->message, full->hint, exit_code_of(full->code));
  return std::move(*out);
}
}  // namespace chancel
