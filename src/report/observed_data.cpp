// SPDX-License-Identifier: Apache-2.0
// The data of a run as arrays of numbers: see report/exports.hpp.
#include <algorithm>

#include "data/csv.hpp"
#include "data/json.hpp"
#include "report/exports.hpp"

namespace chancel::report {
namespace {

using data::Node;
using data::NodeKind;

bool add_number(const Node& node, Variable& to) {
  if (node.kind == NodeKind::Bool)
    to.columns.push_back({node.boolean ? 1.0 : 0.0});
  else if (node.kind == NodeKind::Integer)
    to.columns.push_back({static_cast<double>(node.integer)});
  else if (node.kind == NodeKind::Real)
    to.columns.push_back({node.real});
  else
    return false;
  to.integer = to.integer && node.kind != NodeKind::Real;
  return true;
}

// The array or number at `at`. False: something else, or rows of different lengths.
bool add_array(const std::vector<Node>& nodes, std::size_t at, std::size_t depth, Variable& to) {
  if (nodes[at].kind != NodeKind::Array)
    return depth == to.shape.size() && add_number(nodes[at], to);
  std::size_t count = 0;
  for (std::size_t i = at + 1; i < nodes[at].next; i = nodes[i].next) ++count;
  if (depth == to.shape.size()) {
    if (!to.columns.empty() || count == 0) return false;
    to.shape.push_back(count);
  }
  if (to.shape[depth] != count) return false;
  for (std::size_t i = at + 1; i < nodes[at].next; i = nodes[i].next)
    if (!add_array(nodes, i, depth + 1, to)) return false;
  return true;
}

std::vector<Variable> of_json(const std::string& text) {
  std::vector<Variable> out;
  data::Document document;
  data::DataError error;
  if (!data::read_json(text, &document, &error)) return out;
  const std::vector<Node>& nodes = document.nodes;
  if (nodes[0].kind != NodeKind::Object) return out;
  for (std::size_t i = 1; i < nodes.size(); i = nodes[i + 1].next) {
    Variable v;
    if (add_array(nodes, i + 1, 0, v)) {
      v.name = identifier(nodes[i].text);
      v.label = nodes[i].text;
      out.push_back(std::move(v));
    }
  }
  return out;
}

std::vector<Variable> of_csv(const std::string& text) {
  std::vector<Variable> out;
  data::Columns columns;
  data::DataError error;
  if (!data::read_columns(text, &columns, &error)) return out;
  for (std::size_t c = 0; c < columns.names.size(); ++c) {
    Variable v;
    const bool numbers = std::all_of(columns.cells[c].begin(), columns.cells[c].end(),
                                     [&](const Node& cell) { return add_number(cell, v); });
    if (!numbers || v.columns.empty()) continue;
    v.name = identifier(columns.names[c]);
    v.label = columns.names[c];
    v.shape = {v.elements()};
    out.push_back(std::move(v));
  }
  return out;
}

}  // namespace

std::vector<Variable> observed_data(const RunDescription& run) {
  std::vector<Variable> out;
  if (!run.data) return out;
  const auto& [name, text] = *run.data;
  if (name.ends_with(".json")) out = of_json(text);
  if (name.ends_with(".csv") || name.ends_with(".tsv")) out = of_csv(text);
  for (auto v = out.begin(); v != out.end(); ++v)
    while (std::any_of(out.begin(), v, [&](const Variable& o) { return o.name == v->name; }))
      v->name += '_';
  return out;
}

}  // namespace chancel::report
