// SPDX-License-Identifier: Apache-2.0
// Reading a text in a test: its forms, and its mistakes as "S001@4 S002@9" (code and start offset).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "reader/reader.hpp"

namespace chancel {

struct Reading {
  SourceMap sources;
  DiagnosticSink sink;
  std::vector<Datum> forms;

  explicit Reading(std::string_view text) {
    forms = read_all(sources, sources.add("t.clj", std::string(text)), sink);
  }

  // All forms as text, or the mistakes if there are any.
  std::string shown() const {
    if (!sink.list().empty()) return mistakes();
    std::string out;
    for (const Datum& form : forms) out += (out.empty() ? "" : " ") + to_text(form);
    return out;
  }

  std::string mistakes() const {
    std::string out;
    for (const Diagnostic& d : sink.list()) {
      if (!out.empty()) out += ' ';
      out += code_name(d.code);
      out += '@';
      out += std::to_string(d.span.begin);
    }
    return out;
  }

  std::string_view source(const Datum& datum) const { return sources.text(datum.span); }
};

inline std::string read_and_show(std::string_view text) { return Reading(text).shown(); }

}  // namespace chancel
