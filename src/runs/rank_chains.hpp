// SPDX-License-Identifier: Apache-2.0
// Chains of a run on several ranks (docs/decisions/023-ranks.md). Chain c works on rank c mod R. On
// rank 0 a chain of another rank is a RankChain: its draws come in messages, and it takes its turn
// among the others like any chain. DrawSender is the other side: it sends batches of draws while few
// enough of them wait at rank 0. Nothing is asked for: draws come as they are made.
#pragma once
#include <deque>
#include <map>

#include "ranks/ranks.hpp"
#include "runs/chain_scheduler.hpp"
#include "value/bytes.hpp"

namespace chancel {

class RankChain final : public Chain {
 public:
  RankChain(std::uint32_t number, StreamName name, const ChainRules& rules, Ranks& world,
            const ByteNames* names)
      : Chain(number, name, nullptr, rules), world_(world), names_(names) {}
  bool elsewhere() const override { return true; }
  // A message of its rank.
  void take_in(unsigned from, ByteReader& in);
  double nested_bias = 0;

 private:
  void used() override;
  Ranks& world_;
  const ByteNames* names_;
  unsigned rank_ = 0;
};

// Rank 0: what all chains of other ranks have sent. True: there was something.
bool take_in_draws(Ranks& world, const std::vector<std::unique_ptr<Chain>>& chains);
// Rank 0 to all others: how far chains go before they wait.
void order_pause(Ranks& world, std::uint64_t pause_at);

class DrawSender {
 public:
  DrawSender(Ranks& world, const ByteNames* names) : world_(world), names_(names) {}
  // Orders of rank 0. True: there were some.
  bool take_orders(ChainRules& rules);
  // Sends what may be sent now; true: there was something. `nested_bias` and `notes` are what is to
  // be said of the whole rank (the latter are asked for at the end of a chain).
  bool send(Chain& chain, double nested_bias,
            const std::function<std::vector<Diagnostic>()>& notes);

 private:
  struct Sent {
    std::uint64_t bytes = 0;
    std::deque<std::uint64_t> messages;  // with draws that have not been taken, by size
    std::uint64_t draws = 0;             // in all
    std::uint64_t told_at_rest = ~std::uint64_t{0};
    bool told_end = false;
  };
  Ranks& world_;
  const ByteNames* names_;
  std::map<std::uint32_t, Sent> sent_;  // by chain
};

}  // namespace chancel
