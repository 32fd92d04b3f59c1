// SPDX-License-Identifier: Apache-2.0
// See sweep_across_ranks.hpp.
#include "particles/sweep_across_ranks.hpp"

#include <algorithm>
#include <cstring>

#include "infer/report_bytes.hpp"
#include "ranks/ranks.hpp"

namespace chancel {

void SweepAcrossRanks::begin(Ranks* ranks) {
  ranks_ = ranks;
  have_all();
  all_weights_ = true;
  distinct_here_ = false;
  borders_.clear();
  if (ranks) {
    borders_.resize(ranks->size());
    bounds_.clear();
    for (unsigned r = 0; r <= ranks->size(); ++r) bounds_.push_back(usual_bound(r));
    bounds_before_ = next_bounds_ = bounds_;
    slice_ = slice_of(ranks->rank());
  }
  if (settings_.keep_lineages)
    lineages_.begin(static_cast<std::uint32_t>(slice_.begin),
                    static_cast<std::uint32_t>(slice_.size()));
}

void SweepAcrossRanks::keep_lineages() {
  if (settings_.keep_lineages)
    lineages_.add(particles_.genealogy.parents(), static_cast<std::uint32_t>(slice_.begin),
                  static_cast<std::uint32_t>(slice_.size()));
}

std::size_t SweepAcrossRanks::add_up(std::size_t here) const {
  if (!ranks_) return here;
  std::size_t sum = 0;
  for (const std::string& count : ranks_->all_gather(std::to_string(here)))
    sum += std::stoul(count);
  return sum;
}

bool SweepAcrossRanks::share_counts(std::uint64_t applications_before, bool need_weights,
                                    BarrierTotals& totals, SweepOutcome& outcome) {
  ByteWriter out;
  out.byte(outcome.failure.has_value());
  if (outcome.failure) write(out, *outcome.failure);
  out.number(outcome.applications - applications_before);
  out.number(totals.running);
  out.number(totals.finished);
  out.real(totals.largest);
  out.number(totals.site);
  out.byte(outcome.aligned);
  out.number(outcome.unaligned_site);
  out.number(distinct_here_ ? outcome.barriers.back().distinct_ancestors : 0);
  out.byte(need_weights);
  outcome.applications = applications_before;
  totals.running = totals.finished = 0;
  totals.largest = kLogZero;
  bool have_site = false, aligned = true;
  std::uint64_t distinct = 0;
  all_weights_ = false;
  std::uint32_t site_of_all = totals.site;
  for (const std::string& message : ranks_->all_gather(out.take())) {
    ByteReader in(message);
    if (in.byte()) {
      Diagnostic d{};
      read(in, &d);
      if (!outcome.failure) outcome.failure = std::move(d);
    }
    outcome.applications += in.number();
    const auto running = static_cast<std::uint32_t>(in.number());
    totals.running += running;
    totals.finished += static_cast<std::uint32_t>(in.number());
    totals.largest = std::max(totals.largest, in.real());
    const auto site = static_cast<std::uint32_t>(in.number());
    const bool aligned_there = in.byte();
    const auto unaligned_site = static_cast<std::uint32_t>(in.number());
    distinct += in.number();
    all_weights_ |= in.byte() != 0;
    if (!aligned_there) {
      aligned = false;
      outcome.unaligned_site = unaligned_site;
    }
    if (running == 0) continue;
    if (have_site && site != site_of_all) {
      aligned = false;
      outcome.unaligned_site = site;
    }
    if (!have_site) site_of_all = site;
    have_site = true;
  }
  totals.site = site_of_all;
  outcome.aligned = aligned;
  if (distinct_here_)
    outcome.barriers.back().distinct_ancestors = static_cast<std::uint32_t>(distinct);
  distinct_here_ = false;
  return !outcome.failure;
}

// Sums of all slices, and the weights themselves where all must be seen together. A chunk that is divided
// has to be summed up as a whole, for the bits of one process: all ranks get its weights, and do that.
void SweepAcrossRanks::share_weights(double largest) {
  Ranks& ranks = *ranks_;
  const std::size_t n = settings_.particles;
  next_bounds_ = bounds_;
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
  particles_.weights.weigh(workers_, slice_.begin, slice_.end, largest, [&](Weights& weights) {
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

void SweepAcrossRanks::visit(Evacuator& e) {
  for (Border& border : borders_)
    for (Border::Stage& stage : border.stages) {
      stage.at.visit(e);
      e.visit(stage.result);
    }
}

}  // namespace chancel
