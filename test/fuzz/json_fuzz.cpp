// SPDX-License-Identifier: Apache-2.0
// Any bytes as JSON: a document whose nodes lie in the text, each around its children, or a message with a place; and
// a value that prints.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "data/json.hpp"
#include "data/values.hpp"
#include "value/print.hpp"

using namespace chancel;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  data::Document document;
  data::DataError error;
  if (!data::read_json(text, &document, &error)) {
    if (error.message.empty() || error.begin > error.end || error.end > size) std::abort();
    return 0;
  }
  const std::vector<data::Node>& nodes = document.nodes;
  if (nodes.empty() || nodes[0].next != nodes.size()) std::abort();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const data::Node& n = nodes[i];
    if (n.begin > n.end || n.end > size || n.next <= i || n.next > nodes.size()) std::abort();
    if (n.kind != data::NodeKind::Array && n.kind != data::NodeKind::Object) continue;
    std::size_t child = i + 1;
    while (child < n.next) {
      if (nodes[child].begin < n.begin || nodes[child].end > n.end) std::abort();
      child = nodes[child].next;
    }
    if (child != n.next) std::abort();
  }
  Heap heap;
  Arena arena(heap);
  show(data::to_value(document, arena));
  return 0;
}
