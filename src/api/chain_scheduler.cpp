// SPDX-License-Identifier: Apache-2.0
// See chain_scheduler.hpp.
#include "api/chain_scheduler.hpp"

#include <algorithm>

namespace chancel {

namespace {
// How long a thread stays with a chain, and after how long draws are handed out if there are any.
constexpr std::chrono::milliseconds kSlice{10};
constexpr std::chrono::milliseconds kRound{50};
}  // namespace

Chain* ChainScheduler::next() {
  for (;;) {
    bool work = false;
    Chain* const chain = in_turn(&work);
    if (chain || !work) return chain;
    produce();
  }
}

Chain* ChainScheduler::in_turn(bool* work) {
  for (std::size_t tries = 0; tries < chains_.size(); ++tries) {
    Chain& chain = *chains_[turn_];
    if (chain.has_draw() || chain.failure()) return &chain;
    if (!chain.ended() && !chain.paused()) {
      *work = true;
      return nullptr;
    }
    turn_ = (turn_ + 1) % chains_.size();
  }
  return nullptr;
}

void ChainScheduler::took(const Chain& chain, std::uint64_t sweep) {
  if (!chain.next_is_of(sweep)) turn_ = (turn_ + 1) % chains_.size();
}

bool ChainScheduler::empty() const {
  return std::none_of(chains_.begin(), chains_.end(), [](const auto& c) { return c->has_draw(); });
}

std::uint64_t ChainScheduler::most_turns() const {
  std::uint64_t most = 0;
  for (const auto& chain : chains_) most = std::max(most, chain->turns());
  return most;
}

bool ChainScheduler::save(ByteWriter& to) const {
  to.number(chains_.size());
  to.number(turn_);
  return std::all_of(chains_.begin(), chains_.end(), [&](const auto& c) { return c->save(to); });
}

bool ChainScheduler::restore(ByteReader& from) {
  if (from.number() != chains_.size()) return from.fail("it is of another number of chains");
  turn_ = static_cast<std::size_t>(from.number());
  if (turn_ >= chains_.size()) return from.fail("there is no such chain");
  return std::all_of(chains_.begin(), chains_.end(),
                     [&](const auto& c) { return c->restore(from); });
}

void ChainScheduler::produce() {
  if (chains_.size() == 1) {
    chains_[0]->work(kRound);
    return;
  }
  end_of_round_ = std::chrono::steady_clock::now() + kRound;
  const auto threads = static_cast<unsigned>(std::min<std::size_t>(threads_, chains_.size()));
  taken_.assign(chains_.size(), 0);
  if (threads == 1) {
    work_along();
    return;
  }
  if (!team_) team_ = std::make_unique<ThreadTeam>(threads);
  team_->run(threads, [this](unsigned) { work_along(); });
}

// What one thread does until every chain rests or is another's, or the round is over.
void ChainScheduler::work_along() {
  while (Chain* chain = pick()) {
    chain->work(kSlice);
    const std::lock_guard lock(mutex_);
    taken_[chain->number()] = 0;
  }
}

Chain* ChainScheduler::pick() {
  const std::lock_guard lock(mutex_);
  if (std::chrono::steady_clock::now() > end_of_round_ &&
      (taken_[turn_] || chains_[turn_]->has_draw() || chains_[turn_]->ended()))
    return nullptr;
  Chain* behind = nullptr;
  for (const auto& chain : chains_) {
    if (taken_[chain->number()] || chain->at_rest()) continue;
    if (!behind || chain->worked() < behind->worked()) behind = chain.get();
  }
  if (behind) taken_[behind->number()] = 1;
  return behind;
}

}  // namespace chancel
