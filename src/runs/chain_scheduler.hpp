// SPDX-License-Identifier: Apache-2.0
// Runs the chains of a run side by side on all threads, and hands out their draws in turn: a draw of
// each chain (a sweep of each, where engines give sweeps), then the next. So the order of draws does
// not depend on threads or time, what is written of a run that was stopped is the beginning of what
// the whole run writes, and all its chains have the same length, give or take one turn.
//
// Threads take the chain that has had the least computing time, for a short time each. A chain
// rests when enough of its draws wait: fast ones wait for slow ones.
//
// By rounds (runs/rounds.hpp): the draws of a round are handed out once every chain has made it, so
// that a run which is stopped anywhere gives whole rounds.
#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "infer/thread_team.hpp"
#include "runs/chain.hpp"

namespace chancel {

class ChainScheduler {
 public:
  ChainScheduler(unsigned threads, ChainRules& rules) : threads_(threads), rules_(rules) {}
  void add(std::unique_ptr<Chain> chain) { chains_.push_back(std::move(chain)); }
  const std::vector<std::unique_ptr<Chain>>& chains() const { return chains_; }

  // The chain that has the next draw, or that failed where the next draw should be; null when all
  // have ended or are paused (ChainRules::pause_at).
  Chain* next();
  // Makes draws for about this long, without asking whose turn it is. False: all chains rest.
  bool work(std::chrono::milliseconds time);
  // Chains of other ranks: takes in what they have sent, and says whether there was something; with
  // `wait`, waits for it. May throw.
  std::function<bool(bool wait)> take_in;
  // The draw has been taken; its sweep.
  void took(const Chain& chain, std::uint64_t sweep);
  // By rounds: asked once all draws of a round have been taken; true: that was the last one.
  std::function<bool(std::uint64_t round)> round_over;
  std::uint64_t rounds() const { return round_.rounds; }  // handed out, or being so
  // No draw waits.
  bool empty() const;
  bool turn_is_empty() const { return !chains_[turn_]->has_draw(); }
  std::uint64_t most_turns() const;  // that a chain has made draws for
  // All chains have made draws for `turns`, or have ended.
  bool have_made(std::uint64_t turns) const;

  // All chains and whose turn it is, as bytes: see Chain.
  bool save(ByteWriter& to) const;
  bool restore(ByteReader& from);

 private:
  // Null and `work`: draws have to be made first; null without it: all is done.
  Chain* in_turn(bool* work);
  Chain* in_round(bool* work);
  bool begin_round();  // false: not every chain has made it
  void produce();
  void produce_for(std::chrono::milliseconds time);
  void work_along();
  bool has_next_round(const Chain& chain) const;
  bool turn_is_made() const;  // under the mutex
  std::size_t pick();         // the number of chains: none

  unsigned threads_;
  ChainRules& rules_;
  std::vector<std::unique_ptr<Chain>> chains_;
  std::size_t turn_ = 0;
  std::unique_ptr<ThreadTeam> team_;
  std::chrono::steady_clock::time_point end_of_round_;
  std::mutex mutex_;         // guards taken_, and the chains that no thread has taken
  std::vector<char> taken_;  // by a thread, right now
  RoundCount round_;         // what has been released, in whole rounds
  bool open_ = false;        // the last of them is being handed out
  bool over_ = false;
  std::vector<char> has_next_round_;  // by chain, as threads have left it
};

}  // namespace chancel
