// SPDX-License-Identifier: Apache-2.0
// Messages and exit codes: see messages.hpp.
#include "session/messages.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace chancel {

namespace {
std::string join_texts(const std::vector<Message>& messages) {
  std::string out;
  for (const Message& m : messages) out += (out.empty() ? "" : "\n") + m.text;
  return out.empty() ? "unknown error" : out;
}
}  // namespace

Error::Error(std::vector<Message> messages, ExitCode exit_code)
    : std::runtime_error(join_texts(messages)),
      messages_(std::move(messages)),
      exit_code_(exit_code) {}

Message to_message(const Diagnostic& d, const SourceMap& sources, bool colour) {
  Message m;
  m.code = code_name(d.code);
  m.error = d.severity == Severity::Error;
  m.message = d.message;
  m.hint = d.hint;
  if (d.span.known()) {
    m.file = sources.name(d.span.file);
    const Position from = sources.position(d.span.file, d.span.begin);
    const Position to = sources.position(d.span.file, d.span.end);
    m.line = from.line;
    m.column = from.column;
    m.end_line = to.line;
    m.end_column = to.column;
  }
  m.text = render(d, sources, colour);
  while (!m.text.empty() && m.text.back() == '\n') m.text.pop_back();
  return m;
}

std::vector<Message> to_messages(const DiagnosticSink& sink, const SourceMap& sources,
                                 bool colour) {
  // More would be of little use, and finding a place within a long line takes a walk along it.
  constexpr std::size_t kMostMessages = 100;
  const std::vector<Diagnostic>& all = sink.list();
  std::vector<Message> out;
  for (std::size_t i = 0; i < std::min(all.size(), kMostMessages); ++i)
    out.push_back(to_message(all[i], sources, colour));
  if (all.size() > kMostMessages) {
    const Diagnostic& next = all[kMostMessages];
    out.push_back(
        to_message({next.code,
                    next.severity,
                    {},
                    fmt::format("{} more messages are not shown", all.size() - kMostMessages),
                    {},
                    {}},
                   sources, colour));
  }
  return out;
}

ExitCode exit_code_of(Code code) {
  switch (code_name(code)[0]) {
    case 'S':
    case 'F':
    case 'C':
      return ExitCode::BadInput;
    case 'U':
      if (code == Code::U001) return ExitCode::Usage;
      if (code == Code::U002) return ExitCode::NoInput;
      if (code == Code::U003) return ExitCode::BadInput;
      return ExitCode::Failed;
    case 'I':
      if (code == Code::I001 || code == Code::I002) return ExitCode::Usage;
      return ExitCode::Failed;
    default:
      return ExitCode::Failed;
  }
}

void throw_errors(const DiagnosticSink& sink, const SourceMap& sources, bool colour) {
  ExitCode exit_code = ExitCode::Failed;
  for (const Diagnostic& d : sink.list())
    if (d.severity == Severity::Error) {
      exit_code = exit_code_of(d.code);
      break;
    }
  throw Error(to_messages(sink, sources, colour), exit_code);
}

void throw_error(Code code, std::string message, std::string hint, ExitCode exit_code) {
  Diagnostic d{code, Severity::Error, {}, std::move(message), std::move(hint), {}};
  throw Error({to_message(d, SourceMap{}, false)}, exit_code);
}

std::vector<ErrorCode> error_codes() {
  std::vector<ErrorCode> out;
  for (std::size_t i = 0; i < code_count(); ++i) {
    const Code c = static_cast<Code>(i);
    out.push_back({code_name(c), code_title(c), code_explanation(c)});
  }
  return out;
}

}  // namespace chancel
