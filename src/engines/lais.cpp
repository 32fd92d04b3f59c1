// SPDX-License-Identifier: Apache-2.0
// Engine lais: layered adaptive importance sampling (Martino, Elvira, Luengo & Corander 2017), over
// executions. Upper layer: single-site chains of the posterior, which are never given out. Lower
// layer: from the state of each chain one execution is proposed whose draws lie around those of the
// state, and is weighted by the mixture of all the proposals of its step (deterministic mixture).
//
// Given the chains, draws are plain importance samples: weights are unbiased however badly the
// chains mix, and however long they are; their mean estimates the evidence.
//
// The proposal of a draw whose address the state has: with probability `prior-share` its own
// distribution, else a normal around the state's value (on the line; its standard deviation is
// `sigma` times that of the distribution) or that value (discrete). Other draws come from their
// distributions. So the weight has finite variance where importance sampling has.
#include <cmath>
#include <numbers>

#include "base/planted.hpp"
#include "engines/guided_engine.hpp"
#include "math/elementary.hpp"
#include "single_site/single_site.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"

namespace chancel {

namespace {

struct LaisSettings {
  std::uint64_t chains, steps, burn;
  double sigma, prior_share;
};

// The draws of a chain's state, by address.
class Center {
 public:
  void take(const Trace& trace, DrawAddresses& addresses) {
    for (auto& values : values_) values.clear();
    addresses.begin_execution();
    for (std::size_t i = 0; i < trace.size(); ++i) {
      const Choice& c = trace.choice(i);
      const DrawAddresses::Address a = addresses.next(c.site, c.id);
      if (a.key >= values_.size()) values_.resize(a.key + 1);
      values_[a.key].push_back({c.dist.is(Tag::Dist) ? c.dist.as<Dist>()->type : nullptr, c.value});
    }
  }
  // The value of this draw in the state; null: it has none from a distribution of this type.
  const Value* find(const GuidedDraw& d) const {
    const auto [key, occurrence] = d.address;
    if (key >= values_.size() || occurrence >= values_[key].size()) return nullptr;
    const Entry& e = values_[key][occurrence];
    return e.type == d.dist.as<Dist>()->type ? &e.value : nullptr;
  }
  void visit(Evacuator& e) {
    for (auto& values : values_)
      for (Entry& v : values) e.visit(v.value);
  }

 private:
  struct Entry {
    const DistType* type;
    Value value;
  };
  std::vector<std::vector<Entry>> values_;
};

class Lais final : public GuidedEngine {
 public:
  Lais(const RunSetup& setup, const LaisSettings& settings)
      : GuidedEngine(setup), settings_(settings) {
    SingleSiteSettings chain;
    chain.walk_share = 0.5;
    for (std::uint64_t i = 0; i < settings.chains; ++i)
      chains_.push_back(std::make_unique<SingleSiteChain>(
          workers_, 0, setup.name.child(kChainStream, i).child(kStepStream, 0), chain));
    centers_.resize(settings.chains);
    workers_.add_roots([this](Evacuator& e) {
      for (Center& c : centers_) c.visit(e);
    });
  }

  bool advance(Sink& sink) override {
    if (!move_chains()) return false;
    for (std::size_t i = 0; i < chains_.size(); ++i)
      if (!propose_from(i, sink)) return false;
    end_step();
    return report(sink);
  }

 private:
  bool move_chains() {
    const std::uint64_t steps = number_ == 0 ? settings_.burn : settings_.steps;
    for (std::size_t i = 0; i < chains_.size(); ++i) {
      SingleSiteChain& chain = *chains_[i];
      if (number_ == 0 && !chain.start())
        return chain.failure() ? fail(*chain.failure())
                               : fail_all_zero(
                                     "no execution from the prior satisfies the "
                                     "observations, so there is no state to start from",
                                     "pgibbs finds what is merely rare sooner");
      for (std::uint64_t s = 0; s < steps; ++s) {
        if (!chain.step()) return fail(*chain.failure());
        if (s % 256 == 255) workers_.collect_if_due();
      }
      statistics_.proposals += steps;
    }
    statistics_.accepted = 0;
    for (std::size_t i = 0; i < chains_.size(); ++i) {
      statistics_.accepted += chains_[i]->accepted();
      centers_[i].take(chains_[i]->trace(), runs_.addresses);
    }
    return true;
  }

  static double scale_of(const Value& dist, double sigma) {
    const auto* d = dist.as<Dist>();
    const double sd = d->type->variance ? std::sqrt(d->type->variance(d)) : 1;
    return sigma * (std::isfinite(sd) && sd > 0 ? sd : 1);
  }

  bool propose_from(std::size_t i, Sink& sink) {
    const Center& center = centers_[i];
    const auto propose = [&](const GuidedDraw& d, Stream& stream) -> std::optional<Value> {
      const Value* at = d.kind == DrawKind::Value ? nullptr : center.find(d);
      if (!at) return std::nullopt;
      const bool improper = d.dist.as<Dist>()->type->improper;
      if (!improper && stream.uniform() < settings_.prior_share) return std::nullopt;
      if (d.kind == DrawKind::Discrete) return *at;
      return Value::real(at->d + scale_of(d.dist, settings_.sigma) * stream.normal());
    };
    GuidedRun run;
    if (!this->run(i, propose, &run)) return false;
    double log_weight = kLogZero;
    if (run.log_likelihood != kLogZero)
      log_weight = run.log_likelihood - log_proposal_ratio(run, i);
    give(run, log_weight, sink);
    return true;
  }

  // log of the mean over the proposals of q(draws) / p(draws).
  double log_proposal_ratio(const GuidedRun& run, std::size_t proposed_by) const {
    if (planted(Mistake::ProposalLeftOut)) return 0;
    if (planted(Mistake::OneComponent))
      return log_ratio(run, centers_[(proposed_by + 1) % centers_.size()]);
    double sum = kLogZero;
    for (const Center& c : centers_) sum = log_add(sum, log_ratio(run, c));
    return sum - math::log(static_cast<double>(centers_.size()));
  }

  double log_ratio(const GuidedRun& run, const Center& center) const {
    double sum = 0;
    for (const GuidedDraw& d : run.draws) {
      if (d.kind != DrawKind::Line && d.kind != DrawKind::Discrete) continue;
      const Value* at = center.find(d);
      if (!at) continue;
      const double share = d.dist.as<Dist>()->type->improper ? 0 : settings_.prior_share;
      double log_around = kLogZero;
      if (d.kind == DrawKind::Discrete) {
        if (equal(*at, d.value)) log_around = 0;
      } else {
        const double sd = scale_of(d.dist, settings_.sigma);
        const double z = (d.value.d - at->d) / sd;
        log_around = -0.5 * z * z - math::log(sd) - 0.5 * math::log(2 * std::numbers::pi);
      }
      // (share p + (1 - share) around) / p
      sum += log_add(share > 0 ? math::log(share) : kLogZero,
                     (share < 1 ? math::log1p(-share) : kLogZero) + log_around - d.log_prior);
    }
    return sum;
  }

  LaisSettings settings_;
  std::vector<std::unique_ptr<SingleSiteChain>> chains_;
  std::vector<Center> centers_;
};

}  // namespace

EngineDef lais_engine() {
  return {
      "lais",
      "layered adaptive importance sampling: proposals around the states of chains",
      {integer_option("number-of-chains", 10, 1, "chains whose states are proposed around", 10000),
       integer_option("steps", 10, 0, "single-site steps of each chain between two draws"),
       integer_option("burn", 1000, 0, "steps of each chain before the first draw"),
       real_option("sigma", 0.5, kAboveZero, kMostReal,
                   "standard deviation around a state, over that of the draw's distribution"),
       real_option("prior-share", 0.1, kAboveZero, 1,
                   "probability that a draw comes from its own distribution")},
      [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
        return std::make_unique<Lais>(
            setup,
            LaisSettings{read.integer("number-of-chains"), read.integer("steps"),
                         read.integer("burn"), read.real("sigma"), read.real("prior-share")});
      }};
}

}  // namespace chancel
