// SPDX-License-Identifier: Apache-2.0
// Engine bamc: Bayesian ascent Monte Carlo (Tolpin & Wood 2015), a search for the most probable
// execution without a schedule. Each draw, by address, is a bandit: its arms are values that were
// drawn there before, their reward is the log density of the rest of the execution. Probability
// matching decides: a reward is drawn from the belief about each arm and about a fresh draw from
// the distribution, and the largest is taken.
#include <algorithm>
#include <cmath>

#include "engines/mode_search.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"

namespace chancel {

namespace {

constexpr std::size_t kMostArms = 32;  // the worst makes room for a better one

struct Arm {
  Value value;
  double mean = 0;
  double count = 0;
};

struct Bandit {
  const DistType* type = nullptr;
  std::vector<Arm> arms;
  // of the rewards of all draws here
  double count = 0, mean = 0, squares = 0;

  double spread() const { return count > 1 ? std::sqrt(squares / (count - 1)) : 1; }
  void add(double reward) {
    count += 1;
    const double off = reward - mean;
    mean += off / count;
    squares += off * (reward - mean);
  }
};

class Bamc final : public ModeSearch {
 public:
  Bamc(const RunSetup& setup, bool candidates) : ModeSearch(setup, candidates) {
    workers_.add_roots([this](Evacuator& e) {
      for (auto& list : bandits_)
        for (Bandit& b : list)
          for (Arm& a : b.arms) e.visit(a.value);
    });
  }

 protected:
  bool try_one(GuidedRun* run) override {
    next_stream();
    const auto propose = [&](const GuidedDraw& d, Stream& stream) -> std::optional<Value> {
      const Bandit& b = bandit_at(d);
      if (b.type != d.dist.as<Dist>()->type || b.arms.empty()) return std::nullopt;
      const double spread = b.spread();
      const Arm* best = nullptr;
      double largest = b.mean + spread * stream.normal();  // of a fresh draw
      for (const Arm& a : b.arms) {
        const double reward = a.mean + spread / std::sqrt(a.count) * stream.normal();
        if (reward <= largest) continue;
        largest = reward;
        best = &a;
      }
      return best ? std::optional<Value>(best->value) : std::nullopt;
    };
    return runs_.run(propose, run);
  }

  void learn(const GuidedRun& run, double joint) override {
    if (joint == kLogZero) return;
    for (const GuidedDraw& d : run.draws) {
      if (d.kind == DrawKind::Other) continue;
      Bandit& b = bandit_at(d);
      if (!b.type) b.type = d.dist.as<Dist>()->type;
      if (b.type != d.dist.as<Dist>()->type) continue;
      const double reward = joint - d.log_before;
      b.add(reward);
      pull(b, d.value, reward);
    }
  }

 private:
  static void pull(Bandit& b, const Value& value, double reward) {
    const auto same = [&](const Arm& a) { return equal(a.value, value); };
    auto arm = std::find_if(b.arms.begin(), b.arms.end(), same);
    if (arm == b.arms.end()) {
      if (b.arms.size() == kMostArms) {
        const auto worst =
            std::min_element(b.arms.begin(), b.arms.end(),
                             [](const Arm& x, const Arm& y) { return x.mean < y.mean; });
        if (worst->mean >= reward) return;
        b.arms.erase(worst);
      }
      b.arms.push_back({value, 0, 0});
      arm = b.arms.end() - 1;
    }
    arm->count += 1;
    arm->mean += (reward - arm->mean) / arm->count;
  }

  Bandit& bandit_at(const GuidedDraw& d) {
    const auto [key, occurrence] = d.address;
    if (key >= bandits_.size()) bandits_.resize(key + 1);
    if (occurrence >= bandits_[key].size()) bandits_[key].resize(occurrence + 1);
    return bandits_[key][occurrence];
  }

  std::vector<std::vector<Bandit>> bandits_;  // by key and occurrence of the address
};

}  // namespace

EngineDef bamc_engine() {
  EngineDef def{"bamc",
                "Bayesian ascent Monte Carlo: looks for the most probable execution",
                {candidates_option()},
                [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
                  return std::make_unique<Bamc>(setup, read.asks_for("predict-candidates"));
                }};
  def.finds_mode = true;
  return def;
}

}  // namespace chancel
