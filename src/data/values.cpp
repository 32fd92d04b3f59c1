// SPDX-License-Identifier: Apache-2.0
#include "data/values.hpp"

#include "value/collections.hpp"

namespace chancel::data {
namespace {

Value atom(const Node& node, Arena& arena) {
  switch (node.kind) {
    case NodeKind::Bool:
      return Value::boolean(node.boolean);
    case NodeKind::Integer:
      return Value::integer(node.integer);
    case NodeKind::Real:
      return Value::real(node.real);
    case NodeKind::Text:
      return make_string(arena, node.text);
    default:
      return Value::nil();
  }
}

Value vector_of(const std::vector<Node>& nodes, std::size_t begin, std::size_t end, Arena& arena) {
  std::vector<Value> items;
  items.reserve(end - begin);
  for (std::size_t i = begin; i < end; ++i) items.push_back(atom(nodes[i], arena));
  return make_vector(arena, items.data(), items.size());
}

Value keyword(const std::string& name) { return Value::keyword(intern(name)); }

}  // namespace

// From the last node to the first: the values of the children are there when the parent's turn
// comes.
Value to_value(const Document& document, Arena& arena) {
  const std::vector<Node>& nodes = document.nodes;
  std::vector<Value> values(nodes.size(), Value::nil());
  for (std::size_t n = nodes.size(); n-- > 0;) {
    const Node& node = nodes[n];
    if (node.kind == NodeKind::Array) {
      std::vector<Value> items;
      for (std::size_t i = n + 1; i < node.next; i = nodes[i].next) items.push_back(values[i]);
      values[n] = make_vector(arena, items.data(), items.size());
    } else if (node.kind == NodeKind::Object) {
      Value map = empty_map(arena);
      for (std::size_t i = n + 1; i < node.next; i = nodes[i + 1].next)
        map = map_assoc(arena, map, keyword(nodes[i].text), values[i + 1]);
      values[n] = map;
    } else {
      values[n] = atom(node, arena);
    }
  }
  return values.empty() ? Value::nil() : values[0];
}

Value to_value(const Columns& columns, Arena& arena) {
  Value map = empty_map(arena);
  for (std::size_t c = 0; c < columns.names.size(); ++c)
    map = map_assoc(arena, map, keyword(columns.names[c]),
                    vector_of(columns.cells[c], 0, columns.cells[c].size(), arena));
  return map;
}

Value to_value(const Table& table, Arena& arena) {
  std::vector<Value> rows;
  rows.reserve(table.rows.size());
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::size_t end = r + 1 < table.rows.size() ? table.rows[r + 1] : table.cells.size();
    rows.push_back(vector_of(table.cells, table.rows[r], end, arena));
  }
  return make_vector(arena, rows.data(), rows.size());
}

}  // namespace chancel::data
