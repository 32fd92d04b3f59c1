// SPDX-License-Identifier: Apache-2.0
#include "tempering/tempered_tuner.hpp"

#include <algorithm>

namespace chancel {

namespace {

constexpr std::size_t kPilots = 9;        // starts at which a step size is looked for
constexpr std::size_t kMostSteps = 1000;  // single-site steps between two states
constexpr double kNoiseDraws = 2000;      // that moves by noise make between them
// The walk at a site follows its acceptance (single_site.cpp) from temperature to temperature.
constexpr double kWalkGain = 2, kSiteAcceptance = 0.44;

void add_figures(const AcceptanceRates& figures, AcceptanceRates* sums) {
  for (const auto& [signature, acceptance] : figures) {
    (*sums)[signature].sum += acceptance.sum;
    (*sums)[signature].count += acceptance.count;
  }
}

void note_acceptance(double temperature, double tried, double accepted,
                     EngineStatistics* statistics) {
  if (tried == 0 || accepted / tried >= statistics->lowest_acceptance) return;
  statistics->lowest_acceptance = accepted / tried;
  statistics->lowest_acceptance_at = temperature;
}

}  // namespace

bool TemperedTuner::tune(StreamName name, const std::vector<double>& weights, bool from_prior,
                         TemperedTuning* tuning) {
  if (!tune_moves(name, weights, from_prior, tuning)) return false;
  tuning->noise_moves = noise_ ? noise_moves(tuning->steps) : 0;
  if (tuning->noise_moves == 0) return true;
  std::vector<WeightedPoint> points;
  for (std::size_t i = 0; i < population_.states().size(); ++i) {
    const TemperedState& s = population_.states()[i];
    if (s.noise.known) points.push_back({&s.noise.at, s.noise.signature, weights[i], s.fold});
  }
  tuning->noise = tune_to(points, tuning->noise);
  return true;
}

// As many as single-site steps, unless executions are long: each move runs the whole execution
// again.
std::size_t TemperedTuner::noise_moves(std::size_t steps) const {
  return std::min(steps, std::max<std::size_t>(1, static_cast<std::size_t>(
                                                      kNoiseDraws / std::max(1.0, mean_draws()))));
}

double TemperedTuner::mean_draws() const {
  double sum = 0;
  for (const TemperedState& s : population_.states()) sum += static_cast<double>(s.draw_count);
  return sum / static_cast<double>(population_.states().size());
}

bool TemperedTuner::tune_moves(StreamName name, const std::vector<double>& weights, bool from_prior,
                               TemperedTuning* tuning) {
  const auto rounded = [](double mean) {
    return std::clamp<std::size_t>(static_cast<std::size_t>(mean), 1, kMostSteps);
  };
  const std::size_t all = steps_ > 0 ? steps_ : rounded(mean_draws());
  tuning->steps = all;
  if (kind_ == MoveKind::SingleSite) return true;

  std::vector<WeightedPoint> points;
  double coordinates = 0, held = 0, recorded = 0;
  const auto add = [&](const TemperedState& s, double weight) {
    if (!s.recorded) {
      all_steps_ = true;
      return;
    }
    if (!points.empty() && points[0].signature != s.signature) all_steps_ = true;
    points.push_back({&s.q, s.signature, weight, s.fold});
    coordinates += static_cast<double>(s.q.size());
    held += static_cast<double>(s.held_draws);
    ++recorded;
  };
  if (from_prior) {  // where the chains start
    if (!population_.locate_starts(name)) return false;
    for (const TemperedState& s : population_.starts()) add(s, 1);
  } else {
    for (std::size_t i = 0; i < weights.size(); ++i) add(population_.states()[i], weights[i]);
  }
  tuning->recorded = tune_to(points, tuning->recorded);
  tuning->moves = steps_ > 0                ? steps_
                  : kind_ == MoveKind::Nuts ? 1
                  : recorded > 0            ? rounded(coordinates / recorded)
                                            : 0;
  tuning->held_only = !all_steps_;
  if (!all_steps_) tuning->steps = held > 0 ? std::min(all, rounded(held / recorded)) : 0;
  return kind_ != MoveKind::Nuts || find_step_sizes(name, tuning);
}

// The median over a few starts: one of them may stand where the density is far narrower than elsewhere,
// and a step that is too small at the first temperatures leaves all chains where they are.
bool TemperedTuner::find_step_sizes(StreamName name, TemperedTuning* tuning) {
  const std::vector<TemperedState>& starts = population_.starts();
  for (auto& [signature, recorded] : tuning->recorded) {
    if (recorded.step_size > 0) continue;
    std::vector<double> found;
    for (std::size_t j = 0; j < starts.size() && found.size() < kPilots; ++j) {
      if (!starts[j].recorded || starts[j].signature != signature) continue;
      MoveTuning pilot = recorded;
      if (!population_.find_step_size(j, name, tuning->temperature, &pilot)) return false;
      if (pilot.step_size > 0) found.push_back(pilot.step_size);
    }
    if (found.empty()) continue;
    std::nth_element(found.begin(), found.begin() + found.size() / 2, found.end());
    recorded.step_size = found[found.size() / 2];
  }
  return true;
}

void TemperedTuner::learn_from(const std::vector<TemperedFigures>& figures, TemperedTuning* tuning,
                               EngineStatistics* statistics) {
  std::vector<SingleSiteChain::Walk>& walks = tuning->walks;
  AcceptanceRates recorded, noise;
  double tried = 0, accepted = 0;
  for (const TemperedFigures& f : figures) {
    statistics->proposals += f.proposals;
    statistics->accepted += f.accepted;
    tried += static_cast<double>(f.proposals);
    accepted += static_cast<double>(f.accepted);
    statistics->applications += f.applications;
    all_steps_ = all_steps_ || f.elsewhere;
    add_figures(f.recorded, &recorded);
    add_figures(f.noise, &noise);
    if (walks.size() < f.walks.size()) walks.resize(f.walks.size());
    for (std::size_t site = 0; site < f.walks.size(); ++site) {
      walks[site].tried += f.walks[site].tried;
      walks[site].acceptance += f.walks[site].acceptance;
    }
  }
  note_acceptance(tuning->temperature, tried, accepted, statistics);
  tried = accepted = 0;
  for (const auto& [signature, acceptance] : recorded) {
    tried += static_cast<double>(acceptance.count);
    accepted += acceptance.sum;
  }
  note_acceptance(tuning->temperature, tried, accepted, statistics);
  learn(kind_, recorded, tuning->recorded);
  learn(noise, tuning->noise);
  for (SingleSiteChain::Walk& w : walks) {
    if (w.tried > 0) w.log_factor += kWalkGain * (w.acceptance / w.tried - kSiteAcceptance);
    w.tried = w.acceptance = 0;
  }
}

}  // namespace chancel
