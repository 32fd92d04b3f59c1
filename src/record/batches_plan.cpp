// SPDX-License-Identifier: Apache-2.0
// The order in which a graph is evaluated, and where the numbers lie (batches.hpp).
#include <algorithm>
#include <map>

#include "record/array_ops.hpp"
#include "record/batches.hpp"

namespace chancel {

namespace {

constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};
constexpr std::uint32_t kConstantBit = 0x80000000u;
// An operand that at least this many nodes of a level share gets a batch for itself.
constexpr std::size_t kShared = 16;

}  // namespace

Batches::Batches(const Graph& graph, Terms given, std::span<const NodeIndex> guarded,
                 std::span<const NodeIndex> outputs, WideEvaluator& wide)
    : wide_(wide),
      terms_(std::move(given)),
      distributions_(graph.wide()),
      slots_(graph.size(), kNoSlot) {
  std::vector<NodeIndex> seen(guarded.begin(), guarded.end());
  seen.insert(seen.end(), outputs.begin(), outputs.end());
  std::vector<NodeIndex> terms = terms_.priors;
  terms.insert(terms.end(), terms_.likelihood.begin(), terms_.likelihood.end());
  terms.insert(terms.end(), terms_.jacobians.begin(), terms_.jacobians.end());
  for (const auto& plate : terms_.plates) {
    const std::vector<NodeIndex> nodes = nodes_of(*plate);
    terms.insert(terms.end(), nodes.begin(), nodes.end());
  }
  sums_ = fuse_sums(graph, terms, seen);
  one_ = static_cast<Slot>(constants_.size()) | kConstantBit;
  constants_.push_back(1.0);
  input_count_ = graph.inputs().size();
  for (const NodeIndex input : graph.inputs()) {
    slots_[input] = static_cast<Slot>(values_.size());
    values_.push_back(graph.value(input));
  }
  std::vector<char> wanted(graph.size(), 0);
  const auto plan_for = [&](std::span<const NodeIndex> from) {
    for (const NodeIndex root : from) wanted[root] = std::max<char>(wanted[root], 1);
    std::vector<NodeIndex> nodes;
    for (NodeIndex i = static_cast<NodeIndex>(graph.size()); i-- > 0;) {
      if (wanted[i] != 1) continue;
      wanted[i] = 2;
      for (const NodeIndex operand : operands_of(graph, i))
        if (operand != kOne) wanted[operand] = std::max<char>(wanted[operand], 1);
      if (graph.is_constant(i))
        slot_of(graph, i);
      else if (graph.node(i).op != GraphOp::Input)
        nodes.push_back(i);
    }
    std::reverse(nodes.begin(), nodes.end());
    plan(graph, nodes);
  };
  plan_for(terms);
  term_batches_ = batches_.size();
  plan_for(guarded);
  root_batches_ = batches_.size();
  plan_for(outputs);
  // Constants come last, so that derivatives are cleared for the others only.
  varying_ = values_.size();
  const auto resolve = [&](Slot& slot) {
    if (slot != kNoSlot && (slot & kConstantBit))
      slot = static_cast<Slot>(varying_ + (slot & ~kConstantBit));
  };
  for (Slot& slot : slots_) resolve(slot);
  for (Slot& slot : indices_) resolve(slot);
  for (Operand& operand : operands_)
    if (!operand.scattered) resolve(operand.base);
  values_.insert(values_.end(), constants_.begin(), constants_.end());
  constants_ = {};
  sums_ = {};
  adjoints_.assign(values_.size(), 0);
  numbers_.resize(widest_);
  slopes_.resize(widest_);
  lanes_.resize(widest_);
  gathered_.resize(most_gathered_);
  gathered_adjoints_.resize(most_gathered_);
  for (const auto& plate : terms_.plates)
    plates_.emplace_back(plate, [&](NodeIndex i) { return slots_[i]; });
}

std::span<const NodeIndex> Batches::operands_of(const Graph& graph, NodeIndex node) const {
  const auto sum = sums_.products.find(node);
  return sum == sums_.products.end() ? graph.operands(node) : sum->second;
}

Batches::Slot Batches::slot_of(const Graph& graph, NodeIndex node) {
  if (node == kOne) return one_;
  if (slots_[node] == kNoSlot) {  // a constant that is read by itself
    slots_[node] = static_cast<Slot>(constants_.size()) | kConstantBit;
    constants_.push_back(graph.value(node));
  }
  return slots_[node];
}

void Batches::plan(const Graph& graph, const std::vector<NodeIndex>& nodes) {
  // Levels, among these nodes only: what was planned before is there already.
  std::vector<std::uint32_t> level(graph.size(), 0);
  struct Key {
    std::uint32_t level;
    GraphOp op;
    std::uint32_t count;
    const Density* density;
    std::uint32_t wide;
    auto operator<=>(const Key&) const = default;
  };
  // Log densities that nothing else needs can wait until the end, where those of all steps of a
  // recursion are one batch.
  constexpr std::uint32_t kLastLevel = ~std::uint32_t{0};
  std::vector<char> needed(graph.size(), 0);
  for (const NodeIndex i : nodes)
    for (const NodeIndex operand : operands_of(graph, i))
      if (operand != kOne) needed[operand] = 1;
  std::map<Key, std::vector<NodeIndex>> groups;
  for (const NodeIndex i : nodes) {
    const Graph::Node& node = graph.node(i);
    const auto operands = operands_of(graph, i);
    for (const NodeIndex operand : operands)
      if (operand != kOne) level[i] = std::max(level[i], level[operand] + 1);
    if (node.op == GraphOp::Element) {  // its slot comes with the node that it is a result of
      --level[i];
      continue;
    }
    if (node.op == GraphOp::LogProb && !needed[i]) level[i] = kLastLevel;
    groups[{level[i], sums_.products.contains(i) ? GraphOp::SumOfProducts : node.op,
            static_cast<std::uint32_t>(operands.size()), node.density,
            node.op == GraphOp::WideLogProb || is_array_op(node.op) ? i : 0}]
        .push_back(i);
  }
  for (const auto& [key, group] : groups) {
    if (group.size() < kShared) {  // nothing to tell apart
      add_batch(graph, key.op, group);
      continue;
    }
    std::vector<std::map<NodeIndex, std::size_t>> uses(key.count);
    for (const NodeIndex i : group)
      for (std::uint32_t k = 0; k < key.count; ++k) ++uses[k][operands_of(graph, i)[k]];
    std::map<std::vector<NodeIndex>, std::vector<NodeIndex>> parts;
    for (const NodeIndex i : group) {
      std::vector<NodeIndex> shared;
      for (std::uint32_t k = 0; k < key.count; ++k) {
        const NodeIndex operand = operands_of(graph, i)[k];
        shared.push_back(is_constant(graph, operand)   ? kNoSlot
                         : uses[k][operand] >= kShared ? operand
                                                       : kNoSlot - 1);
      }
      parts[shared].push_back(i);
    }
    for (const auto& [shared, rows] : parts) add_batch(graph, key.op, rows);
  }
}

Batches::Operand Batches::operand_of(const Graph& graph, const std::vector<NodeIndex>& rows,
                                     std::uint32_t which) {
  const auto node = [&](std::size_t row) { return operands_of(graph, rows[row])[which]; };
  Operand operand;
  bool same = true, constant = true, consecutive = true;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    same = same && node(i) == node(0);
    constant = constant && is_constant(graph, node(i));
  }
  operand.varies = !constant;
  if (same) {
    operand.base = slot_of(graph, node(0));
    return operand;
  }
  operand.step = 1;
  if (constant) {  // a table of their own
    operand.base = static_cast<Slot>(constants_.size()) | kConstantBit;
    for (std::size_t i = 0; i < rows.size(); ++i)
      constants_.push_back(node(i) == kOne ? 1.0 : graph.value(node(i)));
    return operand;
  }
  const Slot first = slot_of(graph, node(0));
  for (std::size_t i = 0; i < rows.size(); ++i)
    consecutive = consecutive && slot_of(graph, node(i)) == first + i;
  if (consecutive) {
    operand.base = first;
    return operand;
  }
  operand.scattered = true;
  operand.base = static_cast<Slot>(indices_.size());
  for (std::size_t i = 0; i < rows.size(); ++i) indices_.push_back(slot_of(graph, node(i)));
  return operand;
}

void Batches::add_batch(const Graph& graph, GraphOp op, const std::vector<NodeIndex>& rows) {
  const Graph::Node& node = graph.node(rows[0]);
  const auto count = static_cast<std::uint32_t>(operands_of(graph, rows[0]).size());
  Batch batch{op,        node.density,
              node.wide, static_cast<std::uint32_t>(rows.size()),
              0,         static_cast<std::uint32_t>(operands_.size()),
              count,     node.results};
  // Sums read their operands piece by piece.
  if (op != GraphOp::SumOfProducts) {
    widest_ = std::max<std::size_t>(widest_, count);
    most_gathered_ = std::max<std::size_t>(most_gathered_, count * rows.size());
  }
  for (std::uint32_t k = 0; k < count; ++k) operands_.push_back(operand_of(graph, rows, k));
  batch.out = static_cast<Slot>(values_.size());
  for (const NodeIndex row : rows)
    for (NodeIndex i = row; i < row + node.results; ++i) {
      slots_[i] = static_cast<Slot>(values_.size());
      values_.push_back(graph.value(i));
    }
  batches_.push_back(batch);
}

}  // namespace chancel
