// SPDX-License-Identifier: Apache-2.0
// See enumeration_trial.hpp.
#include "engines/enumeration_trial.hpp"

#include <algorithm>
#include <cmath>

#include "engines/registry.hpp"
#include "math/elementary.hpp"

namespace chancel {

namespace {

// Applications, at about 10 ns each on the machine of docs/scoreboard.md; a step to the next draw costs about 2 us
// besides. Together: two seconds of CPU, or 100 000 executions of ten draws.
constexpr std::uint64_t kMostWork = 200'000'000;
constexpr std::uint64_t kWorkOfStep = 200;
// Trees with more leaves than this on their way to every leaf that was seen are not finished within the budget,
// unless most of the probability is in a few of their leaves: then a small share of it shows that.
const double kLogManyOutcomes = math::log(2e6);
constexpr std::uint64_t kFirstLook = kMostWork / 50;
constexpr double kHopeless = 0.5;
constexpr std::uint64_t kWorthMore = 4;

class Nowhere final : public Sink {
 public:
  void draw(const EngineDraw&) override {}
};

std::optional<EnumerationTrial> list(const RunSetup& setup, double left_out,
                                     std::uint64_t most_work, bool may_be_hopeless,
                                     std::uint64_t* work) {
  DiagnosticSink problems;
  const auto engine =
      make_engine("enumerate", setup, {{"left-out", Value::real(left_out)}}, problems);
  const EngineStatistics& statistics = engine->statistics();
  Nowhere sink;
  while (engine->step(sink)) {
    *work = statistics.applications + kWorkOfStep * statistics.particle_steps;
    if (*work > most_work) return std::nullopt;
    if (!may_be_hopeless || *work < kFirstLook) continue;
    may_be_hopeless = false;
    if (statistics.left_out > kHopeless) return std::nullopt;
  }
  // One that contradicts the observations everywhere is for an engine to report.
  if (engine->failure()) return std::nullopt;
  return EnumerationTrial{statistics.simulations, statistics.left_out == 0};
}

}  // namespace

std::optional<EnumerationTrial> try_enumeration(const RunSetup& setup, double log_outcomes) {
  if (!std::isfinite(log_outcomes)) return std::nullopt;
  std::uint64_t work = 0;
  auto found = list(setup, kNegligible, kMostWork, log_outcomes > kLogManyOutcomes, &work);
  if (!found || found->complete) return found;
  // Where the negligible rest is no more work than this, an answer can be exact.
  const auto all = list(setup, 0, std::min(kMostWork, kWorthMore * work), false, &work);
  return all ? all : found;
}

}  // namespace chancel
