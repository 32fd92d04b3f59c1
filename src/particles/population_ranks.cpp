// SPDX-License-Identifier: Apache-2.0
// One sweep of several ranks (docs/decisions/023-ranks.md). Each has a slice of the slots, runs it to the
// next observe, and weighs it. Sums of weights are gathered, and each rank draws the offspring of its
// particles, which is its next slice, about: population_borders.cpp.
#include <algorithm>
#include <cstring>

#include "infer/report_bytes.hpp"
#include "math/log_space.hpp"
#include "particles/population.hpp"
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

void Population::take_slice(const SweepPlace& place) {
  slice_ = {0, settings_.particles};
  all_weights_ = true;
  borders_.clear();
  if (!place.ranks) return;
  const unsigned ranks = place.ranks->size();
  borders_.resize(ranks);
  bounds_.clear();
  for (unsigned r = 0; r <= ranks; ++r) bounds_.push_back(usual_bound(r, ranks));
  bounds_before_ = bounds_;
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
  out.number(distinct_here_ ? barriers_.back().distinct_ancestors : 0);
  // Only these can be drawn by whoever has a slice of the weights; trees need all parents.
  out.byte(settings_.resampling != Resampling::Systematic ||
           (workers_.setup().keep_descent && runs_ <= kKeptSweeps));
  applications_ = applications_before;
  running_ = finished_ = 0;
  largest_ = kLogZero;
  bool have_site = false, aligned = true;
  std::uint64_t distinct = 0;
  all_weights_ = false;
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
    distinct += in.number();
    all_weights_ |= in.byte() != 0;
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
  if (distinct_here_) barriers_.back().distinct_ancestors = static_cast<std::uint32_t>(distinct);
  distinct_here_ = false;
  return !failure_;
}

// Sums of all slices, and the weights themselves where somebody must see all of them. A chunk that is divided
// has to be summed up as a whole, for the bits of one process: all ranks get its weights, and do that.
void Population::share_weights(Ranks& ranks) {
  const std::size_t n = settings_.particles;
  // Of rank r: its whole chunks, and what it has of others.
  struct Parts {
    std::size_t first, behind;  // chunks
    std::size_t head, tail;     // particles before and after those
  };
  const auto parts_of = [&](unsigned r) {
    const std::size_t begin = bounds_[r], end = bounds_[r + 1];
    const std::size_t first = (begin + kWeightChunk - 1) / kWeightChunk;
    const std::size_t behind =
        end == n ? (n + kWeightChunk - 1) / kWeightChunk : end / kWeightChunk;
    return Parts{first, behind, std::min(n, first * kWeightChunk) - begin,
                 end - std::min(end, behind * kWeightChunk)};
  };
  const auto last_with_weight = [&](const Weights& weights) {
    for (std::size_t i = slice_.end; i > slice_.begin; --i)
      if (weights.relative()[i - 1] > 0) return i;
    return std::size_t{0};
  };
  weights_.weigh(workers_, slice_.begin, slice_.end, largest_, [&](Weights& weights) {
    if (all_weights_) {
      std::vector<std::size_t> bytes;
      for (const std::size_t b : bounds_) bytes.push_back(b * sizeof(double));
      ranks.all_gather_in_place(weights.relative_bytes(), bytes);
    }
    ByteWriter out;
    out.number(last_with_weight(weights));
    const auto sums = weights.sums_bytes();
    const std::span<double> relative = weights.relative_to_fill();
    const std::size_t size = Weights::chunk_bytes();
    const Parts mine = parts_of(ranks.rank());
    const auto add_numbers = [&](const double* from, std::size_t count) {
      out.raw({reinterpret_cast<const char*>(from), count * sizeof(double)});
    };
    const auto sum_piece = [&](std::size_t p) {
      const std::size_t begin = p * kWeightChunk;
      piece_sums_[p] =
          RunningSums::piece(relative.subspan(begin, std::min(n - begin, kWeightChunk)));
    };
    piece_sums_.resize(weights.chunks());
    for (std::size_t p = mine.first; p < mine.behind; ++p) sum_piece(p);
    out.raw({sums.data() + mine.first * size, (mine.behind - mine.first) * size});
    add_numbers(piece_sums_.data() + mine.first, mine.behind - mine.first);
    add_numbers(relative.data() + slice_.begin, mine.head);
    add_numbers(relative.data() + slice_.end - mine.tail, mine.tail);
    const auto all = ranks.all_gather(out.take());
    last_with_weight_ = 0;
    for (unsigned r = 0; r < ranks.size(); ++r) {
      ByteReader in(all[r]);
      const std::uint64_t last = in.number();
      if (last > 0) last_with_weight_ = last - 1;
      if (r == ranks.rank()) continue;
      const Parts parts = parts_of(r);
      const auto take = [&](void* to, std::size_t bytes) {
        const auto from = in.raw(bytes);
        std::memcpy(to, from.data(), from.size());
      };
      take(sums.data() + parts.first * size, (parts.behind - parts.first) * size);
      take(piece_sums_.data() + parts.first, (parts.behind - parts.first) * sizeof(double));
      take(relative.data() + bounds_[r], parts.head * sizeof(double));
      take(relative.data() + bounds_[r + 1] - parts.tail, parts.tail * sizeof(double));
    }
    for (unsigned r = 1; r < ranks.size(); ++r)
      if (bounds_[r] % kWeightChunk != 0 && bounds_[r] < n) {
        weights.sum_chunk(bounds_[r] / kWeightChunk);
        sum_piece(bounds_[r] / kWeightChunk);
      }
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

}  // namespace chancel
