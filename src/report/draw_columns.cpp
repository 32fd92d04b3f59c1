// SPDX-License-Identifier: Apache-2.0
#include "report/draw_columns.hpp"

#include <map>

namespace chancel::report {

void DrawColumns::count(const Draw& draw) {
  auto& stretches = frame.stretches;
  const bool same_chain = !stretches.empty() && stretches.back().chain == draw.chain;
  if (!same_chain) stretches.push_back({draw.chain, 0});
  ++stretches.back().rows;
  if (!same_chain || draw.sweep != last_sweep) frame.sweep_rows.push_back(0);
  ++frame.sweep_rows.back();
  last_sweep = draw.sweep;
  if (draw.move) {
    if (draw.move->divergent) divergent_rows.push_back(frame.log_weights.size());
    energies.push_back(draw.move->energy);
  }
  frame.log_weights.push_back(draw.log_weight);
}

Chains DrawColumns::energies_by_chain() const {
  std::map<std::uint32_t, std::vector<double>> by_chain;
  if (energies.size() != frame.log_weights.size()) return {};
  std::size_t row = 0;
  for (const DrawFrame::Stretch& stretch : frame.stretches)
    for (const std::size_t end = row + stretch.rows; row < end; ++row)
      by_chain[stretch.chain].push_back(energies[row]);
  Chains out;
  for (auto& [chain, values] : by_chain) out.push_back(std::move(values));
  return out;
}

void DrawColumns::add(const Draw& draw) {
  const std::size_t row = frame.log_weights.size();
  count(draw);
  // A query that predicts nothing speaks by its value.
  const bool by_result =
      draw.predicts.empty() && (labels.empty() || labels.front().name == ":result");
  const Predict result = {by_result ? ":result" : "", draw.result};
  const std::size_t predicts = by_result ? 1 : draw.predicts.size();
  bool in_order = true;  // so far, the labels are those of all draws before
  for (std::size_t position = 0; position < predicts; ++position) {
    const auto& [label, value] = by_result ? result : draw.predicts[position];
    // Mostly every draw has the same labels in the same order.
    std::size_t at = position;
    if (at < labels.size() && labels[at].name == label && in_order) {
      labels[at].shape.push(value);
      continue;
    }
    if (at >= labels.size() || labels[at].name != label) {
      in_order = false;
      const auto [found, is_new] = index.try_emplace(label, labels.size());
      at = found->second;
      if (is_new) labels.push_back({label, Shape::of(value, row, pool)});
    }
    if (labels[at].shape.rows() == row) labels[at].shape.push(value);
  }
  if (predicts == labels.size() && in_order) return;
  for (Label& label : labels) {
    if (label.shape.rows() == row) label.shape.push_missing();
  }
}

}  // namespace chancel::report
