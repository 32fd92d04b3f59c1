// SPDX-License-Identifier: Apache-2.0
// Figure 3 of the paper: PMCMC with 2 to 500 particles on the HMM and the DP mixture.
#include <fmt/format.h>

#include <algorithm>

#include "paper/curves.hpp"
#include "paper/exact_sampler.hpp"
#include "paper/experiment.hpp"
#include "paper/html.hpp"
#include "paper/trajectory.hpp"

namespace chancel::paper {
namespace {

struct Count {
  unsigned particles;
  const char* colour;  // dark to light as in the paper, 100 in red
};
constexpr Count kCounts[] = {{2, "s1"},  {5, "s2"},     {10, "s3"},  {20, "s4"},
                             {50, "s5"}, {100, "mark"}, {200, "s6"}, {500, "s7"}};

std::uint64_t simulations(const Settings& s) { return s.simulations(200000, 10000); }
std::vector<Problem> problems() { return {hmm_problem(), mixture_problem()}; }
std::string curve_name(const Problem& p, unsigned particles) {
  return fmt::format("particles/{}/{:03}", p.name, particles);
}

}  // namespace

std::vector<Cell> particles_cells(const Settings& s) {
  std::vector<Cell> out;
  for (const Problem& p : problems()) {
    const auto problem = std::make_shared<const Problem>(p);
    for (const Count& c : kCounts) {
      for (unsigned run = 1; run <= s.runs; ++run) {
        Trajectory plan;
        plan.simulations = simulations(s);
        plan.engine = "pgibbs";
        plan.options = fmt::format(":number-of-particles {}", c.particles);
        out.push_back(trajectory_cell(s, curve_name(p, c.particles), run, problem, plan));
      }
    }
  }
  return out;
}

Section particles_section(const Settings& s, const Store& store) {
  Section out;
  out.title = "Figure 3: number of particles";
  out.intro =
      "<p>PMCMC with 2 to 500 particles, from dark to light, 100 in red, against the same number "
      "of simulations.</p>";
  Section::Row row;
  row.heading = "Effect of particle count on performance";
  for (const Problem& p : problems()) {
    Chart chart(p.title + ": number of particles", {"simulations (count)", true},
                {fmt::format("{} ({}), median", p.distance(), p.distance_unit()), true});
    std::vector<Curve> curves;
    for (const Count& c : kCounts) {
      curves.push_back(read_curve(store, curve_name(p, c.particles), s.runs));
      chart.line(
          curves.back().simulations, curves.back().median,
          {c.colour, c.particles == 100 ? 2.4 : 1.8, "", 1, fmt::format("{}", c.particles), false});
    }
    std::vector<double> exact;
    for (const double n : curves[0].simulations) exact.push_back(expected_distance(p.law, n));
    chart.line(curves[0].simulations, exact, {"exact", 1.5, "7 4", 1, "exact sampler", false});
    row.figures.push_back({"particles-" + p.name, chart});

    const auto final_distance = [&](std::size_t i) { return curves[i].median.back(); };
    constexpr std::size_t kHundred = 5;
    int better = 0;  // steps from 2 to 100 particles
    double least = final_distance(0);
    std::string list;
    for (std::size_t i = 0; i < curves.size(); ++i) {
      if (i > 0 && i <= kHundred) better += final_distance(i) < final_distance(i - 1);
      least = std::min(least, final_distance(i));
      list += fmt::format("{}{} with {}", i ? ", " : "", number(final_distance(i)),
                          kCounts[i].particles);
    }
    const bool flat = final_distance(7) <= 1.5 * least && final_distance(6) <= 1.5 * least;
    out.findings.push_back(
        {p.title + ": performance improves with the number of particles",
         better == kHundred && flat              ? Finding::Verdict::Holds
         : final_distance(7) < final_distance(0) ? Finding::Verdict::HoldsPartly
                                                 : Finding::Verdict::DoesNotHold,
         fmt::format("Median distance after {} simulations: {}. It falls in {} of {} steps from 2 "
                     "to 100 particles; 2 are {} times as far "
                     "from the truth as 500. At equal simulations more particles also mean fewer "
                     "sweeps, so that the gain ends "
                     "where a sweep no longer loses its ancestors.",
                     count_text(static_cast<double>(simulations(s))), list, better, kHundred,
                     number(final_distance(0) / final_distance(7)))});
  }
  out.rows.push_back(std::move(row));
  return out;
}

}  // namespace chancel::paper
