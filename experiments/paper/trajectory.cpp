// SPDX-License-Identifier: Apache-2.0
#include "paper/trajectory.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "chancel/chancel.hpp"
#include "paper/curves.hpp"
#include "paper/empirical.hpp"
#include "paper/random.hpp"
#include "signals.hpp"

namespace chancel::paper {
namespace {

constexpr std::uint64_t kBatches = 50;
constexpr std::uint64_t kEarly = 1000;

// The times during which distances were computed, to be taken off the run's clock. Draws wait in
// batches, so a pause may come after a draw was made though before it is seen.
class Pauses {
 public:
  void add(double from, double to) { all_.push_back({from, to - from}); }
  double without(double seconds) const {
    double out = seconds;
    for (const auto& [from, length] : all_)
      if (from < seconds) out -= length;
    return out;
  }

 private:
  std::vector<std::pair<double, double>> all_;
};

void add_posterior(Rows& rows, const char* kind, const Problem& problem, Empirical& empirical) {
  const std::vector<std::vector<double>> estimate = empirical.estimate();
  const std::vector<double> points =
      problem.law.normal ? Empirical::cdf_points(problem.law) : std::vector<double>();
  for (std::size_t r = 0; r < estimate.size(); ++r) {
    for (std::size_t v = 0; v < estimate[r].size(); ++v) {
      const double value =
          problem.law.normal ? points[v] : problem.law.first + static_cast<double>(v);
      rows.add(kind, {static_cast<double>(r), value, estimate[r][v]});
    }
  }
}

}  // namespace

std::vector<std::uint64_t> checkpoints(std::uint64_t simulations) {
  std::vector<std::uint64_t> out;
  for (int i = 0;; ++i) {
    auto at = static_cast<std::uint64_t>(std::llround(std::pow(10.0, i / 8.0)));
    if (at >= 100) at = (at + 50) / 100 * 100;
    at = std::min(at, simulations);
    if (out.empty() || at > out.back()) out.push_back(at);
    if (at == simulations) return out;
  }
}

CellResult follow(const Trajectory& plan) {
  const Problem& problem = *plan.problem;
  CompileOptions compile;
  compile.interrupt = tool::user_interrupt();
  compile.name = problem.file;
  Model model = Model::compile(problem.program, compile);
  InferOptions options;
  options.algorithm = plan.engine;
  options.engine_options = read_engine_options(plan.options);
  options.samples = 0;
  options.seed = plan.seed;
  options.threads = plan.threads;
  options.burn = plan.burn;

  const std::vector<std::uint64_t> points = checkpoints(plan.simulations);
  // Draws of importance do not depend on each other, so a batch may end within a step.
  const bool independent = plan.engine == "importance";
  const std::uint64_t batch = std::max<std::uint64_t>(1, plan.simulations / kBatches);
  Empirical empirical(problem);
  CellResult out;
  Pauses pauses;
  std::size_t at = 0;  // the next of points
  std::uint64_t simulations = 0, applications = 0, next_batch = batch;
  double seconds = 0;  // at the last step
  Inference run = model.infer(model.default_query(), options);
  while (true) {
    const Draw* draw = run.next();
    if (draw == nullptr && tool::user_interrupt().requested()) throw Stopped();
    if (draw == nullptr ||
        draw->run_simulations != simulations) {  // a step of the engine is complete
      if (simulations >= points[at] || (draw == nullptr && simulations > 0)) {
        const double from = run.statistics().seconds;
        out.data.add("distance", {static_cast<double>(simulations),
                                  static_cast<double>(applications), empirical.distance()});
        out.times.add("time", {pauses.without(seconds)});
        if (simulations >= kEarly && out.data.at("early").empty())
          add_posterior(out.data, "early", problem, empirical);
        while (at < points.size() && points[at] <= simulations) ++at;
        pauses.add(from, run.statistics().seconds);
        if (at == points.size()) break;
      }
      if (draw == nullptr) break;
      if (!independent && simulations >= next_batch) {
        empirical.begin_batch();
        next_batch += batch;
      }
      simulations = draw->run_simulations;
      applications = draw->run_applications;
      seconds = draw->run_seconds;
    }
    if (independent && draw->index + 1 == next_batch) {
      empirical.begin_batch();
      next_batch += batch;
    }
    empirical.add(*draw);
  }
  add_posterior(out.data, "posterior", problem, empirical);
  out.data.add("effective",
               {static_cast<double>(simulations),
                plan.engine == "rejection" ? empirical.draws() : empirical.effective_draws()});
  return out;
}

Cell trajectory_cell(const Settings& settings, const std::string& curve, unsigned run,
                     std::shared_ptr<const Problem> problem, Trajectory plan) {
  Cell cell;
  cell.name = run_name(curve, run);
  cell.run = run;
  cell.work = plan.simulations;
  plan.problem = problem.get();
  plan.seed = seed_of_cell(settings.seed, cell.name);
  cell.compute = [plan, problem] { return follow(plan); };
  return cell;
}

}  // namespace chancel::paper
