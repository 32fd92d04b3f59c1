// SPDX-License-Identifier: Apache-2.0
// See chain_scheduler.hpp.
#include "runs/chain_scheduler.hpp"

#include <algorithm>

namespace chancel {

namespace {
// How long a thread stays with a chain, and after how long draws are handed out if there are any.
constexpr std::chrono::milliseconds kSlice{10};
constexpr std::chrono::milliseconds kRound{50};
// The same where draws of other ranks have to be taken in, too.
constexpr std::chrono::milliseconds kShortRound{5};
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
  if (rules_.rounds) return in_round(work);
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

// In a round all chains have their draws, so whose turn it is comes back to the first at its end.
Chain* ChainScheduler::in_round(bool* work) {
  do {
    for (std::size_t tries = 0; tries < chains_.size(); ++tries) {
      Chain& chain = *chains_[turn_];
      if (chain.has_draw()) return &chain;
      turn_ = (turn_ + 1) % chains_.size();
    }
    if (open_ && round_over) over_ = round_over(round_.rounds);
    open_ = false;
    if (over_) return nullptr;
  } while (begin_round());
  const auto is_short = [&](const auto& c) { return c->rounds() == round_.rounds; };
  *work = std::any_of(chains_.begin(), chains_.end(),
                      [&](const auto& c) { return is_short(c) && !c->ended() && !c->paused(); });
  if (*work) return nullptr;
  const auto failed = std::find_if(chains_.begin(), chains_.end(),
                                   [&](const auto& c) { return is_short(c) && c->failure(); });
  return failed == chains_.end() ? nullptr : failed->get();
}

bool ChainScheduler::begin_round() {
  bool all_ended = true;
  for (const auto& chain : chains_) {
    if (chain->ended() && !chain->failure()) continue;  // it has all its draws
    all_ended = false;
    if (chain->rounds() <= round_.rounds) return false;
  }
  if (all_ended && empty()) return false;
  round_.advance(rules_.sweeps);
  rules_.released = round_.end;
  for (const auto& chain : chains_) chain->forget_rounds_before(round_.rounds);
  return open_ = true;
}

void ChainScheduler::took(const Chain& chain, std::uint64_t sweep) {
  if (!chain.next_is_of(sweep)) turn_ = (turn_ + 1) % chains_.size();
}

bool ChainScheduler::empty() const {
  return std::none_of(chains_.begin(), chains_.end(),
                      [](const auto& c) { return c->has_withheld(); });
}

bool ChainScheduler::have_made(std::uint64_t turns) const {
  return std::all_of(chains_.begin(), chains_.end(),
                     [&](const auto& c) { return c->ended() || c->turns() >= turns; });
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
  if (!std::all_of(chains_.begin(), chains_.end(), [&](const auto& c) { return c->restore(from); }))
    return false;
  const RoundCount* fewest = nullptr;
  for (const auto& chain : chains_)
    if (!chain->ended() && (!fewest || chain->rounds() < fewest->rounds))
      fewest = &chain->round_count();
  if (rules_.rounds && fewest) {
    round_ = *fewest;
    rules_.released = round_.end;
  }
  return true;
}

void ChainScheduler::produce() {
  if (!take_in) return produce_for(kRound);
  const bool news = take_in(false);
  if (!work(kShortRound) && !news) take_in(true);
}

bool ChainScheduler::work(std::chrono::milliseconds time) {
  if (std::all_of(chains_.begin(), chains_.end(), [](const auto& c) { return c->at_rest(); }))
    return false;
  produce_for(time);
  return true;
}

void ChainScheduler::produce_for(std::chrono::milliseconds time) {
  const auto here = static_cast<std::size_t>(std::count_if(
      chains_.begin(), chains_.end(), [](const auto& chain) { return !chain->elsewhere(); }));
  if (here == 1) {  // on this thread, which may talk to other ranks
    for (const auto& chain : chains_)
      if (!chain->elsewhere()) chain->work(time);
    return;
  }
  end_of_round_ = std::chrono::steady_clock::now() + time;
  const auto threads = static_cast<unsigned>(std::min<std::size_t>(threads_, here));
  taken_.assign(chains_.size(), 0);
  has_next_round_.assign(chains_.size(), 0);
  for (std::size_t i = 0; i < chains_.size(); ++i) {
    has_next_round_[i] = has_next_round(*chains_[i]);
  }
  if (threads == 1) {
    work_along();
    return;
  }
  if (!team_) team_ = std::make_unique<ThreadTeam>(threads);
  team_->run(threads, [this](unsigned) { work_along(); });
}

// What one thread does until every chain rests or is another's, or the round is over.
void ChainScheduler::work_along() {
  for (std::size_t i = pick(); i < chains_.size(); i = pick()) {
    chains_[i]->work(kSlice);
    const std::lock_guard lock(mutex_);
    taken_[i] = 0;
    has_next_round_[i] = has_next_round(*chains_[i]);
  }
}

bool ChainScheduler::has_next_round(const Chain& chain) const {
  return chain.rounds() > round_.rounds || chain.ended() || chain.paused() || chain.elsewhere();
}

// What the run waits for is there, or another thread is at it.
bool ChainScheduler::turn_is_made() const {
  if (rules_.rounds) {
    for (std::size_t i = 0; i < chains_.size(); ++i)
      if (!taken_[i] && !has_next_round_[i]) return false;
    return true;
  }
  const Chain& in_turn = *chains_[turn_];
  return taken_[turn_] || in_turn.has_draw() || in_turn.ended() || in_turn.elsewhere();
}

std::size_t ChainScheduler::pick() {
  const std::lock_guard lock(mutex_);
  const std::size_t none = chains_.size();
  if (std::chrono::steady_clock::now() > end_of_round_ && turn_is_made()) return none;
  std::size_t behind = none;
  for (std::size_t i = 0; i < chains_.size(); ++i) {
    if (taken_[i] || chains_[i]->at_rest()) continue;
    if (behind == none || chains_[i]->worked() < chains_[behind]->worked()) behind = i;
  }
  if (behind != none) taken_[behind] = 1;
  return behind;
}

}  // namespace chancel
