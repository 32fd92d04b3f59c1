// SPDX-License-Identifier: Apache-2.0
// See sweep_engine.hpp.
#include "particles/sweep_engine.hpp"

#include "base/planted.hpp"

namespace chancel {

void SweepEngine::save_counts(ByteWriter& to) const {
  GuardedEngine::save_counts(to);
  to.number(barriers_);
  to.number(family_trees_);
  to.number(resampled_);
}

void SweepEngine::restore_counts(ByteReader& from) {
  GuardedEngine::restore_counts(from);
  barriers_ = from.number();
  family_trees_ = static_cast<unsigned>(from.number());
  resampled_ = from.number();
}

void SweepEngine::report_sweep(const Population& sweep, std::uint64_t number, Sink& sink) {
  for (BarrierStatistics statistics : sweep.outcome().barriers) {
    statistics.sweep = number;
    sink.barrier(statistics);
    const double seen = static_cast<double>(barriers_);
    statistics_.mean_ess = (statistics_.mean_ess * seen + statistics.ess) / (seen + 1);
    if (barriers_ == 0 || statistics.ess < statistics_.min_ess) {
      statistics_.min_ess = statistics.ess;
      statistics_.min_ess_site = statistics.site;
    }
    ++barriers_;
    if (statistics.resampled) {
      const double times = static_cast<double>(resampled_++);
      statistics_.mean_distinct_ancestors =
          (statistics_.mean_distinct_ancestors * times + statistics.distinct_ancestors) /
          (times + 1);
      ++statistics_.resamplings;
    }
  }
  report_family_tree(sweep, number, sink);
  statistics_.applications += sweep.outcome().applications;
  statistics_.particle_steps += sweep.outcome().particle_steps;
  statistics_.simulations += sweep.size();
  if (!sweep.outcome().observed && sweep.alive()) warn_no_observe(sink);
  if (!sweep.outcome().aligned) warn_unaligned(sweep.outcome().unaligned_site, sink);
}

void SweepEngine::report_family_tree(const Population& sweep, std::uint64_t number, Sink& sink) {
  if (!setup_.keep_descent || family_trees_ >= kKeptSweeps ||
      sweep.family_tree().generations() == 0)
    return;
  ++family_trees_;
  const auto links = sweep.family_tree().links();
  for (std::size_t g = 0; g < links.size(); ++g) {
    const BarrierStatistics& barrier = sweep.outcome().barriers[g];
    for (const auto& [particle, ancestor] : links[g])
      sink.descent({number, barrier.barrier, barrier.site, particle, ancestor});
  }
}

std::uint64_t SweepEngine::emit_particles(const Population& sweep, std::uint64_t number,
                                          double log_mean, Sink& sink) {
  std::uint64_t given = 0;
  const double offset = log_mean - sweep.weights().log_mean();
  EngineDraw draw;
  draw.sweep = number;
  draw.chain = setup_.chain;
  for (std::size_t i = 0; i < sweep.size(); ++i) {
    const double w = sweep.log_weight(i);
    if (w == kLogZero) {
      ++statistics_.zero_weight;
      if (!setup_.keep_impossible) continue;
    }
    draw.predicts = sweep.execution(i).predicts;
    draw.result = sweep.result(i);
    draw.log_weight = planted(Mistake::UnweightedOutput) ? log_mean
                      : w == kLogZero                    ? kLogZero
                                                         : w + offset;
    draw.applications = sweep.execution(i).applications;
    sink.draw(draw);
    ++given;
  }
  return given;
}

}  // namespace chancel
