// SPDX-License-Identifier: Apache-2.0
// Any bytes as data in EDN (--data, --value, cells of draws): values that print, within a memory limit, or messages
// that render. What prints readably reads back to the same text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "front/front.hpp"
#include "value/print.hpp"

using namespace chancel;

namespace {

constexpr std::size_t kMemory = std::size_t{256} << 20;
constexpr std::size_t kLongest = 1 << 16;  // of a text that is read again

std::vector<Value> read_text(const std::string& text, Arena& arena, bool* sound) {
  SourceMap sources;
  DiagnosticSink sink;
  const std::vector<Value> values =
      read_values(sources, sources.add("data.edn", text), arena, sink);
  for (const Diagnostic& d : sink.list()) render(d, sources);
  *sound = sink.list().empty();
  if (!*sound && !values.empty()) std::abort();
  return values;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  Heap heap(kMemory);
  Arena arena(heap);
  try {
    bool sound = false;
    for (const Value& value : read_text(text, arena, &sound)) {
      const std::string printed = show(value, true, kLongest);
      if (printed.size() >= kLongest) continue;
      const std::vector<Value> again = read_text(printed, arena, &sound);
      if (!sound || again.size() != 1 || show(again[0], true, kLongest) != printed) std::abort();
    }
  } catch (const MemoryLimit&) {
  }
  return 0;
}
