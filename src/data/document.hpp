// SPDX-License-Identifier: Apache-2.0
// What is in a data file, whatever its format: nulls, truth values, numbers, texts, arrays and
// objects, each with its place in the text. The nodes of a document lie in one vector, parents
// before their children, so that no depth of nesting makes anything recurse. The children of an
// object are its keys (texts) and values in turn.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace chancel::data {

enum class NodeKind : std::uint8_t { Null, Bool, Integer, Real, Text, Array, Object };

struct Node {
  NodeKind kind = NodeKind::Null;
  bool boolean = false;
  std::uint32_t begin = 0, end = 0;  // bytes of the text
  std::uint32_t next = 0;            // the node after this one and all that is in it
  std::int64_t integer = 0;
  double real = 0;
  std::string text;
};

struct Document {
  std::vector<Node> nodes;  // nodes[0] is the whole
};

// What is wrong with a text, and where.
struct DataError {
  std::uint32_t begin = 0, end = 0;
  std::string message, hint;
};

// The line of a byte, counted from 1: for messages where no source map is at hand.
std::size_t line_of(std::string_view text, std::size_t at);
// The mark that some programs (Excel) put before UTF-8 text: its length, 0 or 3.
std::size_t byte_order_mark(std::string_view text);

}  // namespace chancel::data
