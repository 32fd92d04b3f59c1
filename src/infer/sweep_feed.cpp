// SPDX-License-Identifier: Apache-2.0
// See sweep_feed.hpp.
#include "infer/sweep_feed.hpp"

namespace chancel {

namespace {
// From this many particles on, slices of one sweep keep all threads busy and later sweeps need not
// be run ahead.
constexpr std::uint32_t kWideSweep = 1024;
}  // namespace

SweepFeed::SweepFeed(const RunSetup& setup, ThreadTeam* team, const SweepSettings& settings)
    : setup_(setup), team_(team), settings_(settings) {
  ahead_ = team && settings.particles < kWideSweep ? team->size() : 1;
}

SweepFeed::Lane* SweepFeed::free_lane() {
  if (free_.empty()) {
    // A lane is also held by whoever reads it, and by pimh for the state it may fall back to.
    const std::size_t limit =
        setup_.max_memory == ~std::size_t{0} ? setup_.max_memory : setup_.max_memory / (ahead_ + 1);
    lanes_.push_back(
        std::make_unique<Lane>(setup_, ahead_ > 1 ? nullptr : team_, limit, settings_));
    free_.push_back(lanes_.back().get());
  }
  Lane* lane = free_.back();
  free_.pop_back();
  return lane;
}

Population* SweepFeed::next() {
  if (ready_.empty()) {
    std::vector<Lane*> lanes;
    for (unsigned i = 0; i < ahead_; ++i) lanes.push_back(free_lane());
    const auto work = [&](unsigned i) {
      lanes[i]->ok = lanes[i]->sweep.run(setup_.name.child(kSweepStream, made_ + i));
    };
    if (ahead_ > 1)
      team_->run(ahead_, work);
    else
      work(0);
    made_ += ahead_;
    for (Lane* lane : lanes) ready_.push_back(lane);
  }
  Lane* lane = ready_.front();
  if (!lane->ok) {
    failure_ = lane->sweep.failure();
    return nullptr;
  }
  ready_.pop_front();
  return &lane->sweep;
}

Population* SweepFeed::again(std::uint64_t number) {
  Lane* lane = free_lane();
  if (lane->sweep.run(setup_.name.child(kSweepStream, number))) return &lane->sweep;
  failure_ = lane->sweep.failure();
  return nullptr;
}

void SweepFeed::release(Population* sweep) {
  for (const auto& lane : lanes_)
    if (&lane->sweep == sweep) free_.push_back(lane.get());
}

std::size_t SweepFeed::peak_memory() const {
  std::size_t peak = 0;
  for (const auto& lane : lanes_) peak += lane->workers.heap().peak();
  return peak;
}

}  // namespace chancel
