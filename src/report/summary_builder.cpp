// SPDX-License-Identifier: Apache-2.0
// Collects draws into columns, one shape a label, and describes them at the end.
#include <algorithm>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "chancel/summary.hpp"
#include "report/estimate.hpp"
#include "report/json_text.hpp"
#include "report/shape.hpp"
#include "report/share_work.hpp"
#include "report/weighted.hpp"

namespace chancel {

using report::DrawFrame;
using report::Shape;

struct SummaryBuilder::Impl {
  struct Label {
    std::string name;
    Shape shape;
  };
  std::shared_ptr<report::SpillPool> pool = std::make_shared<report::SpillPool>();
  std::vector<Label> labels;
  std::unordered_map<std::string, std::size_t> index;
  DrawFrame frame;
  std::uint64_t last_sweep = 0;

  void count(const Draw& draw) {
    auto& stretches = frame.stretches;
    const bool same_chain = !stretches.empty() && stretches.back().chain == draw.chain;
    if (!same_chain) stretches.push_back({draw.chain, 0});
    ++stretches.back().rows;
    if (!same_chain || draw.sweep != last_sweep) frame.sweep_rows.push_back(0);
    ++frame.sweep_rows.back();
    last_sweep = draw.sweep;
    frame.log_weights.push_back(draw.log_weight);
  }
};

SummaryBuilder::SummaryBuilder() : impl_(std::make_unique<Impl>()) {}
SummaryBuilder::SummaryBuilder(SummaryBuilder&&) noexcept = default;
SummaryBuilder& SummaryBuilder::operator=(SummaryBuilder&&) noexcept = default;
SummaryBuilder::~SummaryBuilder() = default;

void SummaryBuilder::add(const Draw& draw) {
  Impl& impl = *impl_;
  const std::size_t row = impl.frame.log_weights.size();
  impl.count(draw);
  // A query that predicts nothing speaks by its value.
  const bool by_result =
      draw.predicts.empty() && (impl.labels.empty() || impl.labels.front().name == ":result");
  const Predict result = {by_result ? ":result" : "", draw.result};
  const std::size_t count = by_result ? 1 : draw.predicts.size();
  bool in_order = true;  // so far, the labels are those of all draws before
  for (std::size_t position = 0; position < count; ++position) {
    const auto& [label, value] = by_result ? result : draw.predicts[position];
    // Mostly every draw has the same labels in the same order.
    std::size_t at = position;
    if (at < impl.labels.size() && impl.labels[at].name == label && in_order) {
      impl.labels[at].shape.push(value);
      continue;
    }
    if (at >= impl.labels.size() || impl.labels[at].name != label) {
      in_order = false;
      const auto [found, is_new] = impl.index.try_emplace(label, impl.labels.size());
      at = found->second;
      if (is_new) impl.labels.push_back({label, Shape::of(value, row, impl.pool)});
    }
    if (impl.labels[at].shape.rows() == row) impl.labels[at].shape.push(value);
  }
  if (count == impl.labels.size() && in_order) return;
  for (Impl::Label& label : impl.labels) {
    if (label.shape.rows() == row) label.shape.push_missing();
  }
}

Summary SummaryBuilder::summary(const Figures& figures, unsigned threads) const {
  Summary summary;
  DrawFrame& frame = impl_->frame;  // only what settle() works out changes
  frame.enumerated = summary.enumerated = figures.left_out.has_value();
  frame.settle();
  summary.draws = frame.log_weights.size();
  summary.sweeps = frame.sweep_rows.size();
  summary.chains = static_cast<unsigned>(frame.chains.size());
  summary.weighted = !frame.weights.empty();
  summary.weight_ess =
      summary.weighted ? report::kish_ess(frame.weights) : static_cast<double>(summary.draws);
  const std::set<std::string> fixed(figures.fixed_labels.begin(), figures.fixed_labels.end());
  struct Leaf {
    const report::Column* column;
    bool structures, fixed;
  };
  std::vector<Leaf> leaves;
  for (const Impl::Label& label : impl_->labels) {
    const bool is_fixed = fixed.contains(label.name);
    label.shape.visit([&](const std::string& path, const report::Column& column, bool structures) {
      leaves.push_back({&column, structures, is_fixed});
      Estimate& row = summary.estimates.emplace_back();
      row.predict = report::label_text(label.name);
      row.path = path;
    });
  }
  // Each column is described by one thread, whichever it is, so the bits are the same for all.
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  const auto workers = static_cast<unsigned>(std::min<std::size_t>(threads, leaves.size()));
  frame.threads = workers < 2 ? threads : 1;
  report::share_work(leaves.size(), workers, [&](std::size_t i) {
    Estimate& row = summary.estimates[i];
    Estimate made =
        report::estimate(*leaves[i].column, leaves[i].structures, frame, leaves[i].fixed);
    made.predict = std::move(row.predict);
    made.path = std::move(row.path);
    row = std::move(made);
  });
  frame.unsettle();
  return summary;
}

}  // namespace chancel
