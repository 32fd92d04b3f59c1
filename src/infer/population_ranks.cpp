// SPDX-License-Identifier: Apache-2.0
// One sweep of several ranks (docs/decisions/023-ranks.md). Each has a slice of the slots, runs it to the
// next observe, and weighs it; relative weights are gathered, and all ranks draw the same parents. Those
// of our particles that stand on another rank are run again here: the slots that their ancestors had
// are known everywhere, and name all their random numbers.
#include <algorithm>

#include "infer/population.hpp"
#include "infer/report_bytes.hpp"
#include "math/log_space.hpp"
#include "ranks/ranks.hpp"

namespace chancel {

// Some particles have died and only a few are left: another sweep may die out here. With 30 left of
// those that began, the chance of that is below 1e-12.
bool Population::few_survive(const SweepPlace& place) const {
  constexpr std::size_t kSafe = 30;
  if (weights_.now().ess() >= static_cast<double>(kSafe)) return false;
  std::size_t dead = 0;
  for (std::size_t i = slice_.begin; i < slice_.end; ++i) dead += weights_.log(i) == kLogZero;
  if (place.ranks) {
    const auto all = place.ranks->all_gather(std::to_string(dead));
    dead = 0;
    for (const std::string& count : all) dead += std::stoul(count);
  }
  return dead > 0 && settings_.particles - dead < kSafe;
}

// Chunks of weights are never divided: their sums must have the bits of one process.
std::pair<std::size_t, std::size_t> Population::slice_of(unsigned rank, unsigned ranks) const {
  const std::size_t n = settings_.particles, chunks = (n + kWeightChunk - 1) / kWeightChunk;
  return {std::min(n, chunks * rank / ranks * kWeightChunk),
          std::min(n, chunks * (rank + 1) / ranks * kWeightChunk)};
}

void Population::take_slice(const SweepPlace& place) {
  slice_ = {0, settings_.particles};
  if (!place.ranks) return;
  const unsigned ranks = place.ranks->size();
  bounds_.assign(1, 0);
  for (unsigned r = 0; r < ranks; ++r) bounds_.push_back(slice_of(r, ranks).second);
  slice_ = {bounds_[place.ranks->rank()], bounds_[place.ranks->rank() + 1]};
}

// What slices say of the barrier, as workers do within one.
bool Population::share_counts(Ranks& ranks, std::uint64_t applications_before) {
  ByteWriter out;
  out.byte(failure_.has_value());
  if (failure_) write(out, *failure_);
  out.number(applications_ - applications_before);
  out.number(running_);
  out.number(finished_);
  out.real(largest_);
  out.number(site_);
  out.byte(aligned_);
  out.number(unaligned_site_);
  applications_ = applications_before;
  running_ = finished_ = 0;
  largest_ = kLogZero;
  bool have_site = false, aligned = true;
  std::uint32_t site_of_all = site_;
  for (const std::string& message : ranks.all_gather(out.take())) {
    ByteReader in(message);
    if (in.byte()) {
      Diagnostic d{};
      read(in, &d);
      if (!failure_) failure_ = std::move(d);
    }
    applications_ += in.number();
    const auto running = static_cast<std::uint32_t>(in.number());
    running_ += running;
    finished_ += static_cast<std::uint32_t>(in.number());
    largest_ = std::max(largest_, in.real());
    const auto site = static_cast<std::uint32_t>(in.number());
    const bool aligned_there = in.byte();
    const auto unaligned_site = static_cast<std::uint32_t>(in.number());
    if (!aligned_there) {
      aligned = false;
      unaligned_site_ = unaligned_site;
    }
    if (running == 0) continue;
    if (have_site && site != site_of_all) {
      aligned = false;
      unaligned_site_ = site;
    }
    if (!have_site) site_of_all = site;
    have_site = true;
  }
  site_ = site_of_all;
  aligned_ = aligned;
  return !failure_;
}

void Population::share_weights(Ranks& ranks) {
  weights_.weigh(workers_, slice_.begin, slice_.end, largest_, [&](Weights& weights) {
    std::vector<std::size_t> bytes;
    for (const std::size_t b : bounds_) bytes.push_back(b * sizeof(double));
    ranks.all_gather_in_place(weights.relative_bytes(), bytes);
    for (std::size_t r = 0; r < bounds_.size(); ++r)
      bytes[r] = (bounds_[r] + kWeightChunk - 1) / kWeightChunk * weights.chunk_bytes();
    ranks.all_gather_in_place(weights.sums_bytes(), bytes);
  });
}

bool Population::run_segment(Worker& worker, Execution& x, const SegmentName& step,
                             std::uint32_t barrier, Checkpoint& stop) {
  Executor& machine = *worker.machine;
  machine.wants = {false, true};
  machine.stream.reset(step.sweep, step.slot, barrier);
  if (barrier == 0) {
    x = prefix_->at;
    const bool fresh = std::exchange(fresh_, true);
    const bool ok = go_on(worker, x, stop, false);
    fresh_ = fresh;
    if (!ok) {
      failure_ = std::move(worker.failure);
      worker.failure.reset();
      return false;
    }
  } else {
    machine.resume(x, Value::nil(), stop);
    machine.collect_run_if_due(x, stop);
  }
  if (stop.kind == Stop::Observe || stop.kind == Stop::Result) return true;
  failure_ = machine.failure();
  return false;
}

// Parents are in ascending order, and so are their ancestors: one after the other they share most of
// their past, which is run once.
bool Population::bring_parents(StreamName name, unsigned number) {
  if (!genealogy_.drawn()) return true;
  Worker& worker = workers_.worker(number);
  Lineages::Path path;
  const std::vector<std::uint32_t>& slots = path.slots;
  std::uint32_t last = ~0u;
  struct Stage {
    Execution at;
    Value result = Value::nil();
  };
  std::vector<Stage> stages;  // of the last one, after each barrier
  const std::uint32_t* const parents = genealogy_.parents();
  const auto place_of = [&](std::size_t slot) {
    return static_cast<std::size_t>(
        std::lower_bound(parents + slice_.begin, parents + slice_.end, slot) - parents);
  };
  const std::size_t ours = place_of(slice_.begin), behind = place_of(slice_.end);
  for (std::size_t i = slice_.begin; i < slice_.end; ++i) {
    if (i == ours) i = behind;  // from here to there parents stand here
    if (i == slice_.end) break;
    const std::uint32_t parent = parents[i];
    if (parent == last) continue;
    last = parent;
    stages.resize(lineages_.trace(parent, path));
    while (stages.size() < slots.size()) {
      const auto barrier = static_cast<std::uint32_t>(stages.size());
      Stage stage = barrier == 0 ? Stage{} : stages.back();
      if (barrier == 0 || !stage.at.ended()) {
        Checkpoint stop;
        const SegmentName step{name_at(name, barrier), slots[barrier]};
        if (!run_segment(worker, stage.at, step, barrier, stop)) return false;
        if (stop.kind == Stop::Result) stage.result = stop.value;
      }
      stages.push_back(stage);
    }
    current_[parent] = stages.back().at;
    results_[parent] = stages.back().result;
    if (native_) native_->adopt(*worker.machine, current_[parent], nullptr);
  }
  return true;
}

}  // namespace chancel
