// SPDX-License-Identifier: Apache-2.0
// The processes that make one run together, or some of them: what they do together is made of
// messages (transport.hpp). A rank that waits for a message also checks whether the run has ended
// (end_run), a rank has failed or died, or the user wants to stop, and throws then: it does not
// wait forever for a rank that has left.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ranks/death_watch.hpp"
#include "ranks/transport.hpp"

namespace chancel {

// Tags of messages.
enum RankTag : int {
  kEndTag = 1,     // rank 0 to all: the run is over
  kFailedTag = 2,  // to rank 0: why a rank cannot take part
  kGatherTag = 3,
  kDrawsTag = 4,  // of chains: runs/rank_chains.hpp
  kChainOrderTag = 5,
  kSweepTag = 6,  // infer/rank_sweeps.hpp
  kSweepOrderTag = 7,
  kPathTag = 8,     // engines/ipmcmc.cpp
  kGroupTag = 9,    // gathers of a group
  kBorderTag = 10,  // particles/sweep_borders.cpp
};

// Thrown by waits on all ranks but the first, when the run is over.
struct RunIsOver {};
// Thrown on rank 0 when another rank cannot continue.
struct RankFailed {
  unsigned rank;
  std::string why;
};

// Thrown by waits when the process of a rank has died, or does not answer.
struct RankDied {
  unsigned rank;
  DeathWatch::Loss loss;
};

class Ranks {
 public:
  // All ranks of a transport.
  explicit Ranks(std::shared_ptr<Transport> transport);
  // Those of `members` (which has this one), in that order; gathers of two groups do not meet when
  // no rank is in both.
  Ranks(const Ranks& world, std::vector<unsigned> members);

  unsigned rank() const { return rank_; }
  unsigned size() const { return static_cast<unsigned>(members_.size()); }
  bool first() const { return rank_ == 0; }
  // Ranks on this machine, with this one; known once all ranks have said where they are.
  unsigned neighbours() const { return common_->neighbours; }
  void meet_neighbours(const std::string& machine);
  // Other processes are watched from now on; who waits then learns that one has died (RankDied).
  void watch(const std::string& machine, std::function<void(unsigned, DeathWatch::Loss)> on_death);
  // The time limit of the run, from now: ranks that are silent after it are given up.
  void expect_end(double seconds) {
    if (common_->watch) common_->watch->expect_end(seconds);
  }
  int dead() const { return common_->watch ? common_->watch->dead() : DeathWatch::kNobody; }
  void say_goodbye() {
    if (common_->watch) common_->watch->say_goodbye();
  }
  // Called again and again while this rank waits, in all its groups; may throw.
  void set_while_waiting(std::function<void()> look) { common_->while_waiting = std::move(look); }

  void send(unsigned to, int tag, std::string bytes) {
    common_->transport->send(members_[to], tag, std::move(bytes));
  }
  std::optional<std::string> look(unsigned from, int tag) {
    return common_->transport->receive(members_[from], tag);
  }
  std::optional<std::string> look_any(int tag, unsigned* from) {  // a rank of the transport
    return common_->transport->receive_any(tag, from);
  }
  std::string receive(unsigned from, int tag);

  // What each rank gives, in their order, on all of them.
  std::vector<std::string> all_gather(std::string mine);
  // The same in place: every rank has filled in elements bounds[rank] to bounds[rank + 1].
  void all_gather_in_place(std::span<char> all, std::span<const std::size_t> bounds);
  void barrier() { all_gather({}); }

  // Rank 0: all others leave what they are doing.
  void end_run();
  bool over();  // the others: it has been said
  // Not rank 0: says why it cannot take part.
  void tell_failure(const std::string& why);
  // The last call; returns once all ranks make it.
  void leave() {
    common_->transport->leave();
    say_goodbye();  // until then a rank that dies leaves the others waiting
  }
  void abort(int code) {
    say_goodbye();
    common_->transport->abort(code);
  }

  // One look at everything that ends a wait.
  void look_around();
  void wait_a_little();                  // after a look around
  [[noreturn]] void wait_for_the_end();  // RunIsOver is thrown
  // Until `ready` is true.
  template <class Ready>
  void wait_until(Ready&& ready) {
    for (std::uint64_t looks = 0; !ready(); ++looks) {
      look_around();
      pause(looks);
    }
  }

 private:
  static void pause(std::uint64_t looks);

  struct Common {  // of all groups of this rank
    std::shared_ptr<Transport> transport;
    std::function<void()> while_waiting;
    bool ended = false;  // said by rank 0
    unsigned neighbours = 1;
    std::unique_ptr<DeathWatch> watch;
    bool joining = false;  // all ranks are joining: failures of others are looked at afterwards
  };
  std::shared_ptr<Common> common_;
  std::vector<unsigned> members_;
  unsigned rank_ = 0;
  int gather_tag_ = kGatherTag;
};

}  // namespace chancel
