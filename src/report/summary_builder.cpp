// SPDX-License-Identifier: Apache-2.0
// Describes the draws that were collected, a column at a time.
#include <algorithm>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "chancel/summary.hpp"
#include "report/correlation.hpp"
#include "report/draw_columns.hpp"
#include "report/energy.hpp"
#include "report/estimate.hpp"
#include "report/exchange.hpp"
#include "report/json_text.hpp"
#include "report/share_work.hpp"
#include "report/weight_tail.hpp"
#include "report/weighted.hpp"

namespace chancel {

using report::DrawFrame;

SummaryBuilder::SummaryBuilder() : columns_(std::make_unique<report::DrawColumns>()) {}
SummaryBuilder::SummaryBuilder(SummaryBuilder&&) noexcept = default;
SummaryBuilder& SummaryBuilder::operator=(SummaryBuilder&&) noexcept = default;
SummaryBuilder::~SummaryBuilder() = default;

void SummaryBuilder::add(const Draw& draw) { columns_->add(draw); }

Summary SummaryBuilder::summary(const RunStatistics& statistics, unsigned threads) const {
  Summary summary;
  DrawFrame& frame = columns_->frame;  // only what `index()` computes changes
  frame.enumerated = summary.enumerated = statistics.left_out.has_value();
  frame.index();
  summary.draws = frame.log_weights.size();
  summary.sweeps = frame.sweep_rows.size();
  summary.chains = static_cast<unsigned>(frame.chain_rows.size());
  summary.weighted = !frame.weights.empty();
  summary.weight_ess =
      summary.weighted ? report::kish_ess(frame.weights) : static_cast<double>(summary.draws);
  summary.pareto_k = report::weight_tail_shape(frame);
  const std::set<std::string> fixed(statistics.fixed_labels.begin(), statistics.fixed_labels.end());
  struct Leaf {
    const report::Column* column;
    bool structures, fixed;
  };
  std::vector<Leaf> leaves;
  for (const report::DrawColumns::Label& label : columns_->labels) {
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
  summary.strongest = report::strongest_correlation(*columns_, summary.estimates, statistics);
  summary.exchanged = report::exchanged_labels(*columns_, summary.estimates, statistics);
  summary.energy_fraction = report::least_energy_fraction(columns_->energies_by_chain());
  frame.drop_index();
  return summary;
}

double SummaryBuilder::expected_seconds() const {
  // Sorting, ranks and autocorrelations of a million draws of one scalar take 0.3 s, less for few of them.
  constexpr double kSecondsPerValue = 4e-7;
  std::size_t leaves = 0;
  for (const report::DrawColumns::Label& label : columns_->labels)
    label.shape.visit([&](const std::string&, const report::Column&, bool) { ++leaves; });
  return kSecondsPerValue * static_cast<double>(columns_->frame.log_weights.size()) *
         static_cast<double>(leaves);
}

}  // namespace chancel
