// SPDX-License-Identifier: Apache-2.0
#include "page/draw_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "chancel/run_directory.hpp"
#include "report/json_text.hpp"
#include "report/weighted.hpp"

namespace chancel::page {

DrawStore::DrawStore(const std::string& directory, std::span<const Estimate* const> rows,
                     std::uint64_t draws)
    : step_(std::max<std::size_t>(1, (draws * rows.size() + kMaxValues - 1) / kMaxValues)) {
  for (const Estimate* row : rows) {
    index_.emplace(row->label(), columns_.size());
    Column& column = columns_.emplace_back();
    column.row = row;
    if (row->numeric) continue;
    for (const Support& s : row->support)
      column.place.emplace(s.value, static_cast<double>(column.place.size()));
  }
  std::map<std::uint32_t, std::uint32_t> chains;
  std::vector<double> log_weights;
  DrawReader reader(directory);
  std::size_t number = 0;
  std::vector<std::pair<std::string, Column*>> last;  // labels by position, and where they go
  while (const Draw* draw = reader.next()) {
    if (number++ % step_ != 0) continue;
    chain_of_.push_back(
        chains.emplace(draw->chain, static_cast<std::uint32_t>(chains.size())).first->second);
    log_weights.push_back(draw->log_weight);
    // Mostly every draw has the same labels in the same order.
    last.resize(std::max(last.size(), draw->predicts.size()));
    for (std::size_t i = 0; i < draw->predicts.size(); ++i) {
      const Predict& predict = draw->predicts[i];
      if (last[i].first != predict.label) {
        const auto found = index_.find(report::label_text(predict.label));
        last[i] = {predict.label, found == index_.end() ? nullptr : &columns_[found->second]};
      }
      if (last[i].second != nullptr) {
        push(*last[i].second, predict.value);
      } else {
        add_parts(report::label_text(predict.label), predict.value);
      }
    }
  }
  chains_ = chains.size();
  if (!report::are_equal(log_weights)) weights_ = report::relative_weights(log_weights);
}

// Values are taken apart as far as the summary took them apart: a row of it is where to stop.
void DrawStore::add_parts(const std::string& label, const ValueView& value) {
  const auto add = [&](const std::string& part, const ValueView& item) {
    const auto found = index_.find(part);
    if (found == index_.end()) {
      add_parts(part, item);
    } else {
      push(columns_[found->second], item);
    }
  };
  if (value.kind() == ValueView::Kind::Vector || value.kind() == ValueView::Kind::List) {
    std::size_t i = 0;
    for (const ValueView& item : value.items()) add(fmt::format("{}[{}]", label, i++), item);
  } else if (value.kind() == ValueView::Kind::Map) {
    for (const auto& [key, item] : value.entries())
      add(fmt::format("{}[{}]", label, key.print()), item);
  }
}

void DrawStore::push(Column& column, const ValueView& value) {
  const auto draw = static_cast<std::uint32_t>(chain_of_.size() - 1);
  if (column.draws.empty() && column.values.size() != draw) {  // the first one with a gap before it
    column.draws.resize(column.values.size());
    std::iota(column.draws.begin(), column.draws.end(), 0u);
    column.draws.push_back(draw);
  } else if (!column.draws.empty()) {
    column.draws.push_back(draw);
  }
  if (column.row->numeric) {
    column.integers = column.integers && value.kind() == ValueView::Kind::Integer;
    column.values.push_back(value.is_number() ? value.number() : 0);
  } else {
    const auto place = column.place.find(value.print());
    column.values.push_back(place == column.place.end() ? -1 : place->second);
  }
}

Series DrawStore::series(std::size_t row) const {
  const Column& column = columns_[row];
  Series out;
  out.integers = column.integers;
  out.values.resize(chains_);
  if (!weights_.empty()) out.weights.resize(chains_);
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    const std::size_t draw = column.draws.empty() ? i : column.draws[i];
    out.values[chain_of_[draw]].push_back(column.values[i]);
    if (!weights_.empty()) out.weights[chain_of_[draw]].push_back(weights_[draw]);
  }
  return out;
}

}  // namespace chancel::page
