// SPDX-License-Identifier: Apache-2.0
// A Markov chain over the sweeps of an engine, for callers that need one draw, or the probability
// of one value, rather than many weighted draws (nested inference). The next sweep is a proposal
// that is independent of the current one, accepted with probability min(1, W'/W) on total weights:
// for importance and smc that is particle independent Metropolis-Hastings (Andrieu, Doucet &
// Holenstein 2010), whose distance from the posterior after k sweeps is at most (1 - 1/M)^k, where
// M is the largest W over its mean. Picking one of all draws by weight instead (sampling importance
// resampling) has a bias of order 1/draws that no amount of outer work averages out. Sweeps of
// engines that are Markov chains themselves weigh the same, so theirs are always accepted; so are
// those of rejection.
//
// Sweeps that die out are not proposed, which changes nothing in the limit. Costs one uniform a
// draw and a copy of the value whenever the pick changes.
#pragma once
#include <functional>
#include <vector>

#include "infer/sink.hpp"
#include "math/log_space.hpp"
#include "random/stream.hpp"

namespace chancel {

class SweepChain final : public Sink {
 public:
  // `keep` copies a result to where it outlives the engine's heap. `sought` (or null): the value
  // whose probability is asked for.
  SweepChain(Stream& stream, std::function<Value(const Value&)> keep, const Value* sought = nullptr)
      : stream_(stream), keep_(std::move(keep)), sought_(sought) {}
  void draw(const EngineDraw& d) override;

  std::uint64_t draws() const { return draws_; }
  std::uint64_t sweeps() const { return shares_.size() + (pending_.log_total > kLogZero ? 1 : 0); }
  // Ends the sweep that has come last. The next three are good after it; false: no draw has come.
  bool finish();
  const Value& value() const { return standing_.value; }  // a draw from the standing sweep
  // Mean over the later half of the chain of the standing sweep's weight on the sought value.
  double probability() const;
  bool met() const { return met_; }  // some draw was the sought value
  // An estimate of how far the standing sweep is from the posterior (total variation): the chance
  // that a chain which began there has rejected every proposal so far, E[rho(W)^k], where rho(W) is
  // the share of the sweeps seen that W would reject.
  double bias() const;

 private:
  struct Sweep {
    double log_total = kLogZero;
    double share = 0;  // of the total: weight on the sought value
    Value value = Value::nil();
  };
  void end_sweep();

  Stream& stream_;
  std::function<Value(const Value&)> keep_;
  const Value* sought_;
  Sweep standing_, pending_;
  double high_ = kLogZero, total_ = 0,
         sought_weight_ = 0;  // of the pending sweep, relative to exp(high_)
  std::uint64_t number_ = 0;
  std::uint64_t draws_ = 0;
  bool met_ = false;
  std::vector<double> shares_;      // of the standing sweep, by step
  std::vector<double> log_totals_;  // of all sweeps
};

}  // namespace chancel
