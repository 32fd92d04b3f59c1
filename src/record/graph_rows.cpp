// SPDX-License-Identifier: Apache-2.0
// Rows of a graph: their nodes, what becomes of them when other rows or the graph need them, and the plates at the end
// (graph.hpp, row_store.hpp).
#include <algorithm>
#include <bit>
#include <map>
#include <unordered_set>

#include "base/assert.hpp"
#include "base/planted.hpp"
#include "record/graph.hpp"

namespace chancel {

namespace {

using Kind = Plate::Operand::Kind;

// Nodes that a row takes over from an earlier one, at most; where more are needed they are shared.
constexpr std::size_t kMostCopied = 256;
// Plates of fewer rows become nodes of the graph, which are evaluated together with others of their kind.
constexpr std::size_t kLeastRows = 16;

// The nodes of one row that node i is made of, in order; empty: more than `most`.
std::vector<NodeIndex> made_of(const RowStore& rows, NodeIndex i, std::size_t most) {
  std::vector<NodeIndex> next{i};
  std::unordered_set<NodeIndex> all{i};
  while (!next.empty()) {
    const NodeIndex at = next.back();
    next.pop_back();
    for (const NodeIndex operand : rows.node(at).operands) {
      if (operand < kRowNodes || !all.insert(operand).second) continue;
      if (all.size() > most) return {};
      next.push_back(operand);
    }
  }
  std::vector<NodeIndex> sorted(all.begin(), all.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

NodeIndex Graph::reach(NodeIndex i) {
  if (i >= kRowNodes) {
    if (rows_.is_open(i)) return i;
    if (const NodeIndex known = rows_.resolved(i); known != RowStore::kNone) {
      i = known;
    } else if (const NodeIndex copy = rows_.copy_of(i); copy != RowStore::kNone) {
      return copy;
    } else {
      switch (rows_.reach(i)) {
        case RowStore::Reach::Copy:
          if (copy_to_row(i)) return rows_.copy_of(i);
          return shared(i);
        case RowStore::Reach::Share:
          return shared(i);
        case RowStore::Reach::Chain:
          i = shared(i);
          chained_.insert(i);
          break;
      }
    }
  }
  if (!chained_.empty() && chained_.contains(i)) rows_.note_chain();
  return i;
}

bool Graph::copy_to_row(NodeIndex i) {
  const std::vector<NodeIndex> nodes = made_of(rows_, i, kMostCopied);
  if (nodes.empty()) return false;
  std::vector<NodeIndex> operands;
  std::vector<double> x;
  for (const NodeIndex from : nodes) {
    if (rows_.copy_of(from) != RowStore::kNone) continue;
    const RowStore::Node node = rows_.node(from);
    operands.clear();
    x.clear();
    for (const NodeIndex operand : node.operands) {
      operands.push_back(operand < kRowNodes ? operand : rows_.copy_of(operand));
      x.push_back(value(operands.back()));
    }
    Node as{node.op, 0, 0};
    as.density = node.density;
    const double now = node.op == GraphOp::Constant ? *rows_.value(from) : evaluate(as, x);
    rows_.note_copy(from, rows_.add(node.op, node.density, operands, now));
  }
  return true;
}

NodeIndex Graph::add_to_row(const Node& node, std::span<const NodeIndex> operands) {
  NodeIndex few[8];
  double few_numbers[8];
  std::vector<NodeIndex> many;
  std::vector<double> many_numbers;
  NodeIndex* in = few;
  double* x = few_numbers;
  if (operands.size() > std::size(few)) {
    many.resize(operands.size());
    many_numbers.resize(operands.size());
    in = many.data();
    x = many_numbers.data();
  }
  bool constant = true;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    in[k] = reach(operands[k]);
    x[k] = value(in[k]);
    constant = constant && is_constant(in[k]);
  }
  const double now = evaluate(node, {x, operands.size()});
  if (constant) return row_constant(now);
  return rows_.add(node.op, node.density, {in, operands.size()}, now);
}

double Graph::row_value(NodeIndex i) const {
  if (const auto known = rows_.value(i)) return *known;
  if (const NodeIndex known = rows_.resolved(i); known != RowStore::kNone) return values_[known];
  // A row of a plate keeps its numbers only.
  std::unordered_map<NodeIndex, double> now;
  for (const NodeIndex at : made_of(rows_, i, ~std::size_t{0})) {
    const RowStore::Node node = rows_.node(at);
    if (node.op == GraphOp::Constant) {
      now[at] = *rows_.value(at);
      continue;
    }
    std::vector<double> x;
    for (const NodeIndex operand : node.operands)
      x.push_back(operand < kRowNodes ? values_[operand] : now.at(operand));
    Node as{node.op, 0, 0};
    as.density = node.density;
    now[at] = evaluate(as, x);
  }
  return now.at(i);
}

NodeIndex Graph::shared(NodeIndex i) {
  if (i < kRowNodes) return i;
  if (const NodeIndex known = rows_.resolved(i); known != RowStore::kNone) return known;
  std::vector<NodeIndex> waiting{i}, operands;
  while (!waiting.empty()) {
    const NodeIndex at = waiting.back();
    if (rows_.resolved(at) != RowStore::kNone) {
      waiting.pop_back();
      continue;
    }
    const RowStore::Node node = rows_.node(at);
    operands.assign(node.operands.begin(), node.operands.end());
    const GraphOp op = node.op;
    const Density* density = node.density;
    bool ready = true;
    for (NodeIndex& operand : operands) {
      if (operand < kRowNodes) continue;
      const NodeIndex known = rows_.resolved(operand);
      if (known != RowStore::kNone) {
        operand = known;
      } else {
        waiting.push_back(operand);
        ready = false;
      }
    }
    if (!ready) continue;
    waiting.pop_back();
    if (op == GraphOp::Constant) {
      rows_.resolve(at, constant(*rows_.value(at)));
    } else {
      Node as{op, 0, 0};
      as.density = density;
      rows_.resolve(at, find_or_add(as, operands));
    }
  }
  return rows_.resolved(i);
}

void Graph::close(std::span<const NodeIndex> scores, std::span<const NodeIndex> left_out) {
  rows_.end(RowStore::kNone, TermKind::Prior);
  for (const NodeIndex score : left_out)  // the last rows of their plates
    if (const auto place = score < kRowNodes ? std::nullopt : rows_.place(score))
      --rows_.plate(place->plate).rows;
  for (const NodeIndex score : scores)
    if (score >= kRowNodes && !rows_.place(score)) shared(score);
  for (std::uint32_t p = 0; p < rows_.plates(); ++p)
    if (rows_.plate(p).rows < kLeastRows)
      for (std::size_t row = 0; row < rows_.plate(p).rows; ++row) shared(rows_.root(p, row));
  // What most rows share with the rest of the graph is a node of it for all rows.
  for (const auto& [plate, step, rows] : resolved_steps_by_row())
    if (rows.size() < rows_.plate(plate).rows && 2 * rows.size() >= rows_.plate(plate).rows)
      for (std::size_t row = 0; row < rows_.plate(plate).rows; ++row)
        shared(rows_.step_node(plate, row, step));
  const std::vector<ResolvedStep> resolved = resolved_steps_by_row();
  plate_index_.assign(rows_.plates(), 0);
  for (std::uint32_t p = 0; p < rows_.plates(); ++p) {
    if (rows_.plate(p).rows < kLeastRows) continue;
    plate_index_[p] = static_cast<std::uint32_t>(plates_.size());
    Plate plate = std::move(rows_.plate(p));
    for (auto& nodes : plate.gathered) nodes.resize(plate.rows);
    take_out_of_rows(plate, p, resolved);
    plates_.push_back(std::make_shared<const Plate>(without_unused(std::move(plate))));
    plate_bytes_ += plates_.back()->bytes();
  }
  rows_.close();
}

std::vector<Graph::ResolvedStep> Graph::resolved_steps_by_row() const {
  std::map<std::pair<std::uint32_t, std::uint32_t>, ResolvedStep> found;
  for (const RowStore::ResolvedStep& s : rows_.resolved_steps()) {
    if (s.row >= rows_.plate(s.plate).rows) continue;
    ResolvedStep& step = found[{s.plate, s.step}];
    step.plate = s.plate;
    step.step = s.step;
    step.rows.push_back({s.row, s.as});
  }
  std::vector<ResolvedStep> out;
  for (auto& [at, step] : found) {
    std::sort(step.rows.begin(), step.rows.end());
    out.push_back(std::move(step));
  }
  return out;
}

// Nodes of the graph take the place of steps, where all rows share one or have one each.
void Graph::take_out_of_rows(Plate& plate, std::uint32_t index,
                             std::span<const ResolvedStep> resolved) {
  const auto gathered = [&](std::vector<NodeIndex> nodes) -> Plate::Operand {
    if (planted(Mistake::SharedTooEarly) ||
        std::all_of(nodes.begin(), nodes.end(), [&](NodeIndex i) { return i == nodes[0]; }))
      return {Kind::Shared, nodes[0]};
    plate.gathered.push_back(std::move(nodes));
    return {Kind::Gathered, static_cast<std::uint32_t>(plate.gathered.size() - 1)};
  };
  std::map<std::uint32_t, Plate::Operand> by_row;
  for (const auto& [p, step, rows] : resolved) {
    if (p != index || rows.size() < plate.rows) continue;
    std::vector<NodeIndex> nodes;
    for (const auto& [row, as] : rows) nodes.push_back(as);
    by_row[step] = gathered(std::move(nodes));
  }
  const auto number = [&](double x) -> Plate::Operand {
    plate.numbers.push_back(x);
    return {Kind::Number, static_cast<std::uint32_t>(plate.numbers.size() - 1)};
  };
  std::map<std::uint32_t, Plate::Operand> columns;  // of one number
  for (std::uint32_t k = 0; k < plate.columns; ++k) {
    const auto first = std::bit_cast<std::uint64_t>(plate.number(0, k));
    bool same = true;
    for (std::size_t row = 1; row < plate.rows && same; ++row)
      same = std::bit_cast<std::uint64_t>(plate.number(row, k)) == first;
    if (planted(Mistake::ColumnAsNumber)) same = true;
    if (same) columns[k] = number(plate.number(0, k));
  }
  std::vector<Plate::Operand> now;  // by step
  const auto operand_now = [&](const Plate::Operand& o) {
    if (o.kind == Kind::Step) return now[o.at];
    if (o.kind != Kind::Column) return o;
    const auto known = columns.find(o.at);
    return known == columns.end() ? o : known->second;
  };
  for (std::uint32_t s = 0; s < plate.steps.size(); ++s) {
    const Plate::Step& step = plate.steps[s];
    bool same = true;
    for (std::uint32_t k = 0; k < step.count; ++k) {
      Plate::Operand& o = plate.operands[step.first + k];
      o = operand_now(o);
      same = same && (o.kind == Kind::Shared || o.kind == Kind::Number);
    }
    if (const auto known = by_row.find(s); known != by_row.end()) {
      now.push_back(known->second);
    } else if (same) {
      std::vector<NodeIndex> operands;
      for (std::uint32_t k = 0; k < step.count; ++k) {
        const Plate::Operand& o = plate.operands[step.first + k];
        operands.push_back(o.kind == Kind::Shared ? o.at : constant(plate.numbers[o.at]));
      }
      Node node{step.op, 0, 0};
      node.density = step.density;
      const NodeIndex as = find_or_add(node, operands);
      now.push_back(is_constant(as) ? number(value(as)) : Plate::Operand{Kind::Shared, as});
    } else {
      now.push_back({Kind::Step, s});
    }
  }
  plate.root = operand_now(plate.root);
}

// The same plate with the steps that its score needs.
Plate Graph::without_unused(Plate plate) {
  std::vector<char> needed(plate.steps.size(), 0);
  if (plate.root.kind == Kind::Step) needed[plate.root.at] = 1;
  for (std::size_t s = plate.steps.size(); s-- > 0;) {
    if (!needed[s]) continue;
    const Plate::Step& step = plate.steps[s];
    for (std::uint32_t k = 0; k < step.count; ++k)
      if (const Plate::Operand& o = plate.operands[step.first + k]; o.kind == Kind::Step)
        needed[o.at] = 1;
  }
  std::vector<std::uint32_t> place(plate.steps.size(), 0), gathered_place(plate.gathered.size(), 0);
  std::vector<Plate::Step> steps;
  std::vector<Plate::Operand> operands;
  std::vector<std::vector<NodeIndex>> gathered;
  std::vector<char> moved(plate.gathered.size(), 0);
  const auto placed = [&](Plate::Operand o) {
    if (o.kind == Kind::Step) o.at = place[o.at];
    if (o.kind == Kind::Gathered) {
      if (!moved[o.at]) {
        gathered_place[o.at] = static_cast<std::uint32_t>(gathered.size());
        gathered.push_back(std::move(plate.gathered[o.at]));
        moved[o.at] = 1;
      }
      o.at = gathered_place[o.at];
    }
    return o;
  };
  for (std::size_t s = 0; s < plate.steps.size(); ++s) {
    if (!needed[s]) continue;
    Plate::Step step = plate.steps[s];
    const auto first = static_cast<std::uint32_t>(operands.size());
    for (std::uint32_t k = 0; k < step.count; ++k)
      operands.push_back(placed(plate.operands[step.first + k]));
    step.first = first;
    place[s] = static_cast<std::uint32_t>(steps.size());
    steps.push_back(step);
  }
  plate.root = placed(plate.root);
  plate.steps = std::move(steps);
  plate.operands = std::move(operands);
  plate.gathered = std::move(gathered);
  return plate;
}

Graph::Term Graph::term(NodeIndex score) const {
  if (score < kRowNodes) return {score, {}};
  if (const NodeIndex known = rows_.resolved(score); known != RowStore::kNone) return {known, {}};
  RowStore::Place place = *rows_.place(score);
  place.plate = plate_index_[place.plate];
  return {RowStore::kNone, place};
}

}  // namespace chancel
