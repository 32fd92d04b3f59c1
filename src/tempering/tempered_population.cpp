// SPDX-License-Identifier: Apache-2.0
// See tempered_population.hpp.
#include "tempering/tempered_population.hpp"

#include <algorithm>

#include "infer/output_bytes.hpp"
#include "infer/thread_team.hpp"
#include "tempering/tempered_bytes.hpp"

namespace chancel {

TemperedPopulation::TemperedPopulation(const RunSetup& setup, ThreadTeam* team, MoveKind kind,
                                       std::size_t chains, std::size_t length)
    : setup_(setup), team_(team), ranks_(setup.ranks), length_(length), starts_(chains) {
  const std::size_t here = std::max<std::size_t>(1, ranks_.share_of(chains));
  const std::size_t count = std::min<std::size_t>(here, team ? team->size() : 1);
  const std::size_t memory =
      setup.max_memory == ~std::size_t{0} ? setup.max_memory : setup.max_memory / (count + 1);
  for (unsigned i = 0; i < count; ++i)
    lanes_.push_back(std::make_unique<TemperedLane>(setup, memory, i, kind, states_));
}

// Calls work(lane, i) for those i of 0 .. count - 1 that this rank has; the n-th of them is for lane n
// modulo the number of lanes. Then write(out, i) for each of them, and read(in, i) for those of other
// ranks. False: failed, as the first of all of them has.
template <class Work, class Write, class Read>
bool TemperedPopulation::in_lanes(std::size_t count, Work&& work, Write&& write, Read&& read) {
  const std::size_t here = ranks_.share_of(count);
  std::vector<std::size_t> failed(lanes_.size(), here);
  const auto run_lane = [&](unsigned l) {
    std::size_t n = l;
    const auto full = within_memory([&] {
      for (; n < here; n += lanes_.size())
        if (!work(*lanes_[l], ranks_.item(n))) break;
    });
    if (full) lanes_[l]->fail_with(*full);
    failed[l] = std::min(n, here);
  };
  if (lanes_.size() > 1)
    team_->run(static_cast<unsigned>(lanes_.size()), run_lane);
  else
    run_lane(0);
  const auto first = std::min_element(failed.begin(), failed.end());
  std::optional<TemperedRanks::Failure> failure;
  if (*first < here)
    failure = {ranks_.item(*first),
               *lanes_[static_cast<std::size_t>(first - failed.begin())]->failure()};
  ByteWriter out;
  for (std::size_t n = 0; ranks_.several() && !failure && n < here; ++n) write(out, ranks_.item(n));
  return exchange(failure, out, [&](unsigned r, ByteReader& in) {
    for (std::size_t i = r; i < count && in.ok(); i += ranks_.size()) read(in, i);
  });
}

bool TemperedPopulation::exchange(const std::optional<TemperedRanks::Failure>& mine,
                                  ByteWriter& out, const TemperedRanks::Read& read) {
  out.byte(observed_ = observed());
  const auto failure = ranks_.exchange(mine, out, [&](unsigned r, ByteReader& in) {
    read(r, in);
    observed_ = in.byte() || observed_;
  });
  return !failure || fail(*failure, failure->code != Code::X001);
}

bool TemperedPopulation::fail(Diagnostic why, bool together) {
  failure_ = std::move(why);
  failed_together_ = together;
  return false;
}

// States of the i-th chain, or the i-th draw: where they live.
void TemperedPopulation::place(std::size_t i, TemperedState* state) const {
  state->rank = ranks_.rank_of(i);
  state->lane = state->rank == ranks_.rank()
                    ? static_cast<unsigned>(i / ranks_.size() % lanes_.size())
                    : TemperedState::kElsewhere;
}

bool TemperedPopulation::draw_prior(StreamName name, std::uint64_t before, std::size_t count) {
  const std::size_t first = states_.size();
  states_.resize(first + count);
  for (std::size_t i = 0; i < count; ++i) {
    place(i, &states_[first + i]);
    states_[first + i].fold = i % kFolds;
  }
  return in_lanes(
      count,
      [&](TemperedLane& lane, std::size_t i) {
        return lane.draw_prior(name, static_cast<std::uint32_t>(before + i), &states_[first + i]);
      },
      [&](ByteWriter& out, std::size_t i) { write_weight(out, states_[first + i]); },
      [&](ByteReader& in, std::size_t i) { read_weight(in, &states_[first + i]); });
}

bool TemperedPopulation::take_starts(const std::vector<std::size_t>& chosen) {
  starts_.assign(chosen.size(), {});
  for (std::size_t j = 0; j < chosen.size(); ++j) starts_[j].fold = states_[chosen[j]].fold;
  // Copies, where no collection moves them while the chains run.
  auto values = std::make_unique<RunValues>();
  copy_starts(chosen, values->arena);
  if (ranks_.several() && !bring_starts(chosen, values->arena)) return false;
  // Chains refer to the old ones until they are restarted.
  before_ = std::move(here_);
  here_ = std::move(values);
  return true;
}

// Those that are here.
void TemperedPopulation::copy_starts(const std::vector<std::size_t>& chosen, Arena& arena) {
  const auto stays = [&](const Object* o) {
    const Heap* heap = block_of(o)->heap;
    return !(here_ && heap == &here_->heap) &&
           std::none_of(lanes_.begin(), lanes_.end(),
                        [&](const auto& lane) { return heap == &lane->heap(); });
  };
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    starts_[j].draws = states_[chosen[j]].draws;
    for (DrawnValue& d : starts_[j].draws) {
      d.id = deep_copy(d.id, arena, stays);
      d.value = deep_copy(d.value, arena, stays);
    }
  }
}

// The others: every rank gets all starts, for each looks for step sizes at a few.
bool TemperedPopulation::bring_starts(const std::vector<std::size_t>& chosen, Arena& arena) {
  const auto each_of = [&](unsigned rank, const auto& work) {
    for (std::size_t j = 0; j < chosen.size(); ++j)
      if (states_[chosen[j]].rank == rank && (j == 0 || chosen[j] != chosen[j - 1]) && !work(j))
        return;
  };
  ByteWriter out;
  ValueWriter values(out, setup_.byte_names);
  std::optional<TemperedRanks::Failure> failure;
  each_of(ranks_.rank(), [&](std::size_t j) {
    if (!write_draws(out, values, states_[chosen[j]]))
      failure = {j, cannot_be_sent("the value of a draw: " + values.problem())};
    return !failure;
  });
  if (!exchange(failure, out, [&](unsigned r, ByteReader& in) {
        ValueReader read(in, arena, setup_.byte_names);
        each_of(r, [&](std::size_t j) { return read_draws(in, read, &starts_[j]); });
      }))
    return false;
  for (std::size_t j = 1; j < chosen.size(); ++j)
    if (chosen[j] == chosen[j - 1]) starts_[j].draws = starts_[j - 1].draws;
  return true;
}

bool TemperedPopulation::locate_starts(StreamName name) {
  return in_lanes(
      starts_.size(),
      [&](TemperedLane& lane, std::size_t j) {
        return lane.locate(name.child(kChainStream, j), &starts_[j]);
      },
      [&](ByteWriter& out, std::size_t j) { write_place(out, starts_[j]); },
      [&](ByteReader& in, std::size_t j) { read_place(in, &starts_[j]); });
}

// By each rank, with the same result; but memory may end on one of them.
bool TemperedPopulation::find_step_size(std::size_t start, StreamName name, double temperature,
                                        MoveTuning* tuning) {
  TemperedLane& lane = *lanes_[0];
  return lane.find_step_size(starts_[start], name.child(kChainStream, start), temperature,
                             tuning) ||
         fail(*lane.failure(), !is_limit(lane.failure()->code));
}

bool TemperedPopulation::run_chains(StreamName name, const TemperedTuning& tuning,
                                    std::vector<TemperedFigures>* figures) {
  states_.clear();
  states_.resize(starts_.size() * length_);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    place(i / length_, &states_[i]);
    states_[i].fold = starts_[i / length_].fold;
  }
  figures->assign(starts_.size(), {});
  return in_lanes(
      starts_.size(),
      [&](TemperedLane& lane, std::size_t j) {
        return lane.run(starts_[j], name.child(kChainStream, j), tuning, states_of(j),
                        &(*figures)[j]);
      },
      [&](ByteWriter& out, std::size_t j) {
        for (const TemperedState& s : states_of(j)) write_known(out, s);
        write_figures(out, (*figures)[j]);
      },
      [&](ByteReader& in, std::size_t j) {
        for (TemperedState& s : states_of(j)) read_known(in, &s);
        read_figures(in, &(*figures)[j]);
      });
}

bool TemperedPopulation::bring_outputs() {
  if (!ranks_.several()) return true;
  const auto each_of = [&](unsigned rank, const auto& work) {
    for (std::size_t j = rank; j < starts_.size(); j += ranks_.size())
      for (TemperedState& s : states_of(j))
        if (!work(s)) return;
  };
  if (!ranks_.first()) {
    ByteWriter out;
    ValueWriter values(out, setup_.byte_names);
    std::optional<Diagnostic> failure;
    each_of(ranks_.rank(), [&](const TemperedState& s) {
      std::string problem;
      if (!write_given(out, values, s, &problem)) failure = cannot_be_sent(std::move(problem));
      return !failure;
    });
    ranks_.give(out.take(), failure);
    return true;
  }
  const auto failure = ranks_.take([&](unsigned r, ByteReader& in) {
    ValueReader values(in, here_->arena, setup_.byte_names);
    each_of(r, [&](TemperedState& s) { return read_given(in, values, here_->arena, &s); });
  });
  return !failure || fail(*failure, false);
}

bool TemperedPopulation::observed() const {
  return observed_ || std::any_of(lanes_.begin(), lanes_.end(),
                                  [](const auto& lane) { return lane->observed(); });
}

std::size_t TemperedPopulation::peak_memory() const {
  std::size_t sum = 0;
  for (const auto& lane : lanes_) sum += lane->heap().peak();
  return sum;
}

}  // namespace chancel
