// SPDX-License-Identifier: Apache-2.0
// See single_site.hpp.
#include "single_site/single_site.hpp"

#include <algorithm>
#include <cmath>

#include "base/planted.hpp"
#include "infer/engine_state.hpp"
#include "math/elementary.hpp"
#include "record/distribution_support.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"

namespace chancel {

namespace {

// Executions from the prior that may contradict the observations before the chain gives up.
constexpr std::uint64_t kMostContradicting = 100000;
// The adaptive chain treats every place as if it had been tried once with full success, and never
// prefers one place to another by more than 1 : kLeastPreference: every draw keeps being picked.
constexpr double kLeastPreference = 0.05;
// What the acceptance of walks in one dimension is led to (Roberts & Rosenthal 2001); the gain of
// the n-th is n to this power (Robbins & Monro 1951).
constexpr double kWalkAcceptance = 0.44;
constexpr double kGainPower = -0.6;
constexpr double kAcceptanceSteps = 1 << 20;
constexpr double kMostLogFactor = 50;

// The spread of the draw's distribution; 1 when it has none. It depends on the past of the draw
// only, so a walk is symmetric.
double spread(const Choice& c) {
  const auto* d = c.dist.as<Dist>();
  if (!d->type->variance) return 1;
  const double sd = std::sqrt(d->type->variance(d));
  return std::isfinite(sd) && sd > 0 ? sd : 1;
}

}  // namespace

SingleSiteChain::SingleSiteChain(WorkerPool& workers, unsigned worker, StreamName name,
                                 const SingleSiteSettings& settings)
    : workers_(workers),
      trace_(workers, worker),
      name_(name),
      streams_(name, 0),
      settings_(settings),
      adapting_(settings.warmup > 0) {
  trace_.record(settings.recording);
  if (settings.held_only) trace_.watch_who_moves();
  workers.add_roots([this](Evacuator& e) { visit(e); });
}

void SingleSiteChain::reset_stream() {
  const auto slot = static_cast<std::uint32_t>(number_);
  if (slot == 0) streams_.at(name_, static_cast<std::uint32_t>(number_ >> 32));
  streams_.reset(trace_.machine().stream, slot);
  ++number_;
}

bool SingleSiteChain::start() {
  for (std::uint64_t tries = 0; tries < kMostContradicting; ++tries) {
    reset_stream();
    bool possible;
    if (!trace_.draw_prior(&possible)) return false;
    if (possible) {
      applications_ += trace_.applications();
      return true;
    }
    workers_.collect_if_due();  // what was drawn is garbage
  }
  return false;
}

bool SingleSiteChain::step() {
  ++proposals_;
  if (trace_.size() == 0) {  // nothing random: every state is this one
    ++accepted_;
    return true;
  }
  reset_stream();
  Executor& machine = trace_.machine();
  const std::size_t k = pick(machine.stream);
  if (k == trace_.size()) return true;
  trace_.prefetch(k);
  const Choice& c = trace_.choice(k);
  Value value;
  // A draw from an improper distribution can only walk.
  const bool walk = is_on_line(c.dist, c.value) &&
                    (c.dist.as<Dist>()->type->improper ||
                     (settings_.walk_share > 0 && machine.stream.uniform() < settings_.walk_share));
  Execution at = c.at;
  if (walk)
    value = Value::real(c.value.d + walk_scale(c.site) * spread(c) * machine.stream.normal());
  else if (!draw_for(machine, at, c.dist, &value))
    return trace_.fail_with(machine.failure());
  Trace::Proposal proposal;
  const std::uint32_t site = c.site;
  std::vector<SiteMoves>& moves = *moves_;
  if (site >= moves.size()) moves.resize(site + 1);
  const bool counted = !settings_.beside_gradient || !has_gradient(c);
  moves[site].proposals += counted;
  // The value that is there already: the execution would come out as it is, and be accepted. (A score
  // that is a random estimate would be another one.)
  if (!walk && value.tag == c.value.tag && value.bits == c.value.bits &&
      machine.estimated_site == 0 && !machine.drew_hidden) {
    ++accepted_;
    moves[site].accepted += counted;
    if (adapting_ && settings_.adaptive) learn(site, false);
    return true;
  }
  if (!trace_.propose(k, value, !walk, &proposal)) return false;
  bool changed = false;
  double log_acceptance = -INFINITY;
  if (proposal.possible) {
    applications_ += proposal.applications;
    proposed_size_ = proposal.size;
    const double temperature = planted(Mistake::WithoutTemperature) ? 1 : temperature_;
    double log_ratio = temperature * proposal.log_likelihood_ratio + proposal.log_kept_ratio;
    if (!(picks_uniformly() && proposed_size_ == trace_.size()) && !planted(Mistake::NoCardinality))
      log_ratio += log_pick(k, true) - log_pick(k, false);
    log_acceptance = std::min(0.0, log_ratio);
    if (log_ratio >= 0 || math::log(machine.stream.uniform_open()) < log_ratio) {
      if (adapting_ && settings_.adaptive) changed = trace_.proposes_other_predicts();
      trace_.accept();
      ++accepted_;
      moves[site].accepted += counted;
    } else {
      trace_.reject();
    }
  }
  if (!adapting_) {
    if (walk && settings_.counts_walks) {
      Walk& w = walk_at(site);
      w.tried += 1;
      w.acceptance += math::exp(log_acceptance);
    }
    return true;
  }
  if (settings_.adaptive) learn(site, changed);
  if (walk) learn_walk(site, math::exp(log_acceptance));
  return true;
}

void SingleSiteChain::freeze() {
  adapting_ = false;
  proposals_ = accepted_ = 0;
  moves_->clear();
}

bool SingleSiteChain::save(ByteWriter& to, const ByteNames& names) const {
  if (trace_.depends_on_more()) return false;
  for (const std::uint64_t n : {number_, proposals_, accepted_, applications_}) to.number(n);
  to.byte(adapting_);
  to.number(own_moves_.size());
  for (const SiteMoves& m : own_moves_) {
    to.number(m.proposals);
    to.number(m.accepted);
  }
  to.number(experience_.size());
  for (const Experience& e : experience_) {
    to.real(e.changed);
    to.real(e.tried);
  }
  to.number(walks_.size());
  for (const Walk& w : walks_) {
    to.real(w.log_factor);
    to.real(w.tried);
    to.real(w.acceptance);
  }
  std::vector<Value> values;
  for (std::size_t i = 0; i < trace_.size(); ++i) values.push_back(trace_.choice(i).value);
  return save_values(to, values, names);
}

bool SingleSiteChain::restore(ByteReader& from, const ByteNames& names) {
  for (std::uint64_t* n : {&number_, &proposals_, &accepted_, &applications_}) *n = from.number();
  adapting_ = from.byte() != 0;
  own_moves_.resize(from.count(2, sizeof(SiteMoves)));
  for (SiteMoves& m : own_moves_) {
    m.proposals = from.number();
    m.accepted = from.number();
  }
  const auto count = [](double x) { return x >= 0 && std::isfinite(x); };
  bool good = true;
  experience_.resize(from.count(16, sizeof(Experience)));
  for (Experience& e : experience_) {
    e.changed = from.real();
    e.tried = from.real();
    good = good && count(e.changed) && count(e.tried);
  }
  walks_.resize(from.count(24, sizeof(Walk)));
  for (Walk& w : walks_) {
    w.log_factor = from.real();
    w.tried = from.real();
    w.acceptance = from.real();
    good =
        good && count(w.tried) && count(w.acceptance) && std::fabs(w.log_factor) <= kMostLogFactor;
  }
  if (!good) return from.fail("what the chain has learned is out of range");
  std::vector<Value> values;
  if (!restore_values(from, trace_.machine().arena(), names, trace_.setup().run, values))
    return false;
  streams_.at(name_, static_cast<std::uint32_t>(number_ >> 32));
  return (trace_.replay(values) && trace_.size() == values.size() && trace_.is_possible()) ||
         from.fail("the program does something else with the stored draws");
}

double SingleSiteChain::walk_scale(std::uint32_t site) const {
  if (site >= walks_.size()) return settings_.walk_scale;
  return settings_.walk_scale * math::exp(walks_[site].log_factor);
}

SingleSiteChain::Walk& SingleSiteChain::walk_at(std::uint32_t site) {
  if (site >= walks_.size()) walks_.resize(site + 1);
  return walks_[site];
}

void SingleSiteChain::learn_walk(std::uint32_t site, double acceptance) {
  // To a few digits: a recorded step adds up the same ratio in another order.
  acceptance = std::round(acceptance * kAcceptanceSteps) / kAcceptanceSteps;
  Walk& walk = walk_at(site);
  walk.tried += 1;
  walk.log_factor = std::clamp(
      walk.log_factor + math::pow(walk.tried, kGainPower) * (acceptance - kWalkAcceptance),
      -kMostLogFactor, kMostLogFactor);
}

bool SingleSiteChain::has_gradient(const Choice& c) const {
  if (!c.moves_along_gradient)  // it may need a cdf, and steps ask for all draws
    c.moves_along_gradient = moves_along_gradient(c.dist);
  return *c.moves_along_gradient;
}

double SingleSiteChain::preference(const Choice& c) const {
  if (settings_.held_only && has_gradient(c)) return 0;
  if (settings_.only && !settings_.only->includes(c.site, c.id, c.early)) return 0;
  if (!settings_.adaptive || c.site >= experience_.size()) return 1;
  const Experience& e = experience_[c.site];
  return std::max(kLeastPreference, (1 + e.changed) / (1 + e.tried));
}

void SingleSiteChain::learn(std::uint32_t site, bool changed) {
  if (site >= experience_.size()) experience_.resize(site + 1);
  experience_[site].tried += 1;
  if (changed) experience_[site].changed += 1;
}

std::size_t SingleSiteChain::pick(Stream& stream) {
  const std::size_t n = trace_.size();
  if (picks_uniformly()) return stream.below(n);
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) total += preference(trace_.choice(i));
  if (total == 0) return n;
  double at = stream.uniform() * total;
  std::size_t last = n;  // that can be picked: where rounding ends
  for (std::size_t i = 0; i < n; ++i) {
    const double share = preference(trace_.choice(i));
    if (share == 0) continue;
    last = i;
    at -= share;
    if (at < 0) break;
  }
  return last;
}

double SingleSiteChain::log_pick(std::size_t index, bool proposed) const {
  const std::size_t n = proposed ? proposed_size_ : trace_.size();
  if (picks_uniformly()) return -math::log(static_cast<double>(n));
  const auto choice = [&](std::size_t i) -> const Choice& {
    return proposed ? trace_.proposed_choice(i) : trace_.choice(i);
  };
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) total += preference(choice(i));
  return math::log(preference(choice(index)) / total);
}

}  // namespace chancel
