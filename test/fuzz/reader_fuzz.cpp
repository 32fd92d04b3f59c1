// SPDX-License-Identifier: Apache-2.0
// Any bytes must read without a crash, every message must render, and every form that was read must
// print to a text that reads back to the same data.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "reader/reader.hpp"

namespace {

std::vector<chancel::Datum> read_text(const std::string& text, bool& sound) {
  chancel::SourceMap sources;
  chancel::DiagnosticSink sink;
  std::vector<chancel::Datum> forms = read_all(sources, sources.add("fuzz", text), sink);
  for (const chancel::Diagnostic& diagnostic : sink.list()) render(diagnostic, sources);
  sound = sink.list().empty();
  return forms;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  chancel::is_complete(text);
  bool sound = false;
  for (const chancel::Datum& form : read_text(text, sound)) {
    const std::vector<chancel::Datum> again = read_text(to_text(form), sound);
    if (!sound || again.size() != 1 || !same_data(form, again[0])) std::abort();
  }
  return 0;
}
