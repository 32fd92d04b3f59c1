// SPDX-License-Identifier: Apache-2.0
// Figure 1 of the paper: how fast PMCMC (pgibbs with 100 particles) and RDB (lmh) come near the
// exact answer on the four programs, by simulations, wall-clock time and function applications; and
// what each says the answer is. The red line of the HMM is forward-backward, run as a program.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chancel/chancel.hpp"
#include "paper/curves.hpp"
#include "paper/empirical.hpp"
#include "paper/exact_sampler.hpp"
#include "paper/experiment.hpp"
#include "paper/html.hpp"
#include "paper/texts.hpp"
#include "paper/trajectory.hpp"
#include "signals.hpp"

namespace chancel::paper {
namespace {

constexpr const char* kForwardBackward = "convergence/hmm/forward-backward/01";
constexpr double kFrom = 1000;  // simulations from which curves are compared

std::uint64_t simulations(const Settings& s) { return s.simulations(500000, 20000); }

CellResult forward_backward() {
  CompileOptions compile;
  compile.interrupt = tool::user_interrupt();
  compile.name = "models/hmm/forward-backward.clj";
  Model model = Model::compile(text_of(compile.name), compile);
  InferOptions options;
  options.algorithm = "importance";
  options.samples = 1;
  options.threads = 1;
  const Law law = hmm_law(hmm_data());
  CellResult out;
  for (int repeat = 0; repeat < 25; ++repeat) {
    Inference run = model.infer("forward-backward", options);
    const Draw* draw = run.next();
    if (draw == nullptr) throw Stopped();
    out.times.add("time", {draw->run_seconds});
    if (repeat > 0) continue;
    double error = 0;
    const ValueView& gamma = (*draw)[":gamma"];
    for (std::size_t t = 0; t < law.rows.size(); ++t)
      for (std::size_t s = 0; s < 3; ++s)
        error = std::max(error, std::fabs(gamma.at(t).at(s).number() - law.rows[t][s]));
    out.data.add("forward-backward", {static_cast<double>(draw->applications), error});
  }
  return out;
}

struct Pair {
  Curve pmcmc, rdb;
};

Chart distance_chart(const Problem& p, const std::string& against, const std::string& unit,
                     const Pair& curves, std::vector<double> Curve::*axis, bool dots) {
  Chart chart(fmt::format("{}: {} against {}", p.title, p.distance(), against), {unit, true},
              {fmt::format("{} ({})", p.distance(), p.distance_unit()), true});
  draw_curve(chart, curves.rdb.*axis, curves.rdb, "rdb", "RDB");
  draw_curve(chart, curves.pmcmc.*axis, curves.pmcmc, "pmcmc", "PMCMC, 100 particles", dots);
  return chart;
}

void add_exact_sampler(Chart& chart, const Problem& p, const std::vector<double>& draws) {
  std::vector<double> distance;
  for (const double n : draws) distance.push_back(expected_distance(p.law, n));
  Chart::Style style;
  style.colour = "exact";
  style.dash = "7 4";
  style.width = 1.5;
  style.legend = "exact sampler";
  chart.line(draws, distance, style);
}

// The estimates of single runs after a thousand simulations, beside the truth.
Chart posterior_chart(const Problem& p, const Store& store) {
  const std::string base = "convergence/" + p.name;
  const auto early = [&](const char* engine) {
    return store.get(run_name(base + "/" + engine, 1)).data.at("early");
  };
  const auto pmcmc = early("pmcmc"), rdb = early("rdb");
  const auto column = [](const std::vector<std::vector<double>>& rows, std::size_t j, double value,
                         std::size_t key) {
    std::vector<double> out;
    for (const auto& row : rows)
      if (row[key] == value) out.push_back(row[j]);
    return out;
  };
  if (p.law.normal) {
    Chart chart(p.title + ": CDF of mu", {"mu", false},
                {"P(mu ≤ x) (probability)", false, 0, 1.02});
    const std::vector<double> x = Empirical::cdf_points(p.law);
    std::vector<double> exact;
    for (const double v : x) exact.push_back(p.law.cdf(v));
    chart.line(x, exact, {"truth", 4, "", 0.35, "exact", false});
    chart.line(x, column(rdb, 2, 0, 0), {"rdb", 2, "", 1, "RDB", false});
    chart.line(x, column(pmcmc, 2, 0, 0), {"pmcmc", 1.6, "", 1, "PMCMC", false});
    return chart;
  }
  if (p.law.rows.size() > 1) {
    Chart chart(p.title + ": state occupancy", {"time step", false, -0.4, 16.4},
                {"P(state) (probability)", false, 0, 1.02});
    const char* dashes[] = {"", "7 4", "2 3"};
    std::vector<double> steps;
    for (std::size_t t = 0; t < p.law.rows.size(); ++t) steps.push_back(static_cast<double>(t));
    for (std::size_t s = 0; s < 3; ++s) {
      std::vector<double> exact;
      for (const auto& row : p.law.rows) exact.push_back(row[s]);
      chart.line(steps, exact,
                 {"truth", 1.4, dashes[s], 1, fmt::format("exact, state {}", s), false});
    }
    for (int s = 0; s < 3; ++s) {
      chart.line(steps, column(rdb, 2, s, 1), {"rdb", 0, "", 1, s ? "" : "RDB", true});
      chart.line(steps, column(pmcmc, 2, s, 1), {"pmcmc", 0, "", 1, s ? "" : "PMCMC", true});
    }
    return chart;
  }
  const bool clusters = p.law.first == 1;
  const std::size_t shown = std::min<std::size_t>(p.law.rows[0].size(), clusters ? 10 : 14);
  Chart chart(p.title + (clusters ? ": number of clusters" : ": P(r)"),
              {clusters ? "clusters (count)" : "r (count)", false, p.law.first - 0.6,
               p.law.first + static_cast<double>(shown) - 0.4},
              {"probability", false, 0, 0.45});
  const auto shifted = [&](double by) {
    std::vector<double> x;
    for (std::size_t v = 0; v < shown; ++v) x.push_back(p.law.first + static_cast<double>(v) + by);
    return x;
  };
  const auto cut = [&](std::vector<double> v) {
    v.resize(shown);
    return v;
  };
  chart.bars(shifted(-0.27), cut(p.law.rows[0]), 0.26, {"truth", 1, "", 0.75, "exact", false});
  chart.bars(shifted(0), cut(column(pmcmc, 2, 0, 0)), 0.26, {"pmcmc", 1, "", 1, "PMCMC", false});
  chart.bars(shifted(0.27), cut(column(rdb, 2, 0, 0)), 0.26, {"rdb", 1, "", 1, "RDB", false});
  return chart;
}

Finding::Verdict verdict_below(const Comparison& c) {
  if (c.below >= 0.9 * c.points && c.ratio > 1) return Finding::Verdict::Holds;
  return c.below >= 0.5 * c.points ? Finding::Verdict::HoldsPartly : Finding::Verdict::DoesNotHold;
}

std::string ratios(const Pair& c) {
  const Comparison s =
      compare(c.pmcmc.simulations, c.pmcmc.median, c.rdb.simulations, c.rdb.median, kFrom);
  const Comparison t = compare(c.pmcmc.seconds, c.pmcmc.median, c.rdb.seconds, c.rdb.median, 0);
  const Comparison a =
      compare(c.pmcmc.applications, c.pmcmc.median, c.rdb.applications, c.rdb.median, 0);
  return fmt::format(
      "RDB's median distance over PMCMC's: {} at equal simulations (PMCMC lower at {} of {} places "
      "from {} on; {} at the last), "
      "{} at equal wall-clock time ({} of {}), {} at equal applications ({} of {}).",
      number(s.ratio), s.below, s.points, count_text(kFrom), number(s.last_ratio), number(t.ratio),
      t.below, t.points, number(a.ratio), a.below, a.points);
}

// Why RDB's average is dear at first on branching.
std::string prior_start_note(const Problem& p) {
  const std::vector<double> prior = branching_prior_law().rows[0];
  return fmt::format(
      " RDB's first state is a draw from the prior, and the running average keeps it: {:.0f} % of "
      "its runs start at r = 3 or 4, "
      "which the posterior gives {} and {}, and log(p/q) makes such a start dear until it is a "
      "small share of all draws. PMCMC "
      "weighs such particles away in its first sweep.",
      100 * (prior[3] + prior[4]), number(p.law.rows[0][3]), number(p.law.rows[0][4]));
}

}  // namespace

std::vector<Cell> convergence_cells(const Settings& s) {
  std::vector<Cell> out;
  for (const Problem& p : paper_problems()) {
    const auto problem = std::make_shared<const Problem>(p);
    const std::string base = "convergence/" + p.name;
    for (unsigned run = 1; run <= s.runs; ++run) {
      Trajectory plan;
      plan.simulations = simulations(s);
      plan.engine = "pgibbs";
      plan.options = ":number-of-particles 100";
      out.push_back(trajectory_cell(s, base + "/pmcmc", run, problem, plan));
      plan.engine = "lmh";
      plan.options = kRandomDatabase;
      out.push_back(trajectory_cell(s, base + "/rdb", run, problem, plan));
    }
  }
  Cell line;
  line.name = kForwardBackward;
  line.compute = forward_backward;
  out.push_back(std::move(line));
  return out;
}

Section convergence_section(const Settings& s, const Store& store) {
  Section out;
  out.title = "Figure 1: convergence";
  out.intro = fmt::format(
      "<p>Each curve is the distance between the exact answer and all predicts so far, from the "
      "first on, for {} seeds: median "
      "(solid) and quartiles (dashed, shaded). A simulation is one execution of the program: an "
      "RDB step is one, a PMCMC sweep "
      "with 100 particles is 100. The dashed grey line is the expected distance of as many "
      "independent draws from the exact "
      "answer, the least that any sampler without luck can have. Dots on the time axis are PMCMC's "
      "output as it came, on one "
      "thread.</p>",
      s.runs);
  const CellResult line = store.get(kForwardBackward);
  const double line_applications = line.data.at("forward-backward").at(0).at(0);
  std::vector<double> line_times;
  for (const auto& row : line.times.at("time")) line_times.push_back(row[0]);
  const double line_seconds = quantile(line_times, 0.5);

  std::vector<std::vector<std::string>> bounds;
  int reached = 0;
  double worst = 0;
  for (const Problem& p : paper_problems()) {
    const std::string base = "convergence/" + p.name;
    const Pair c = {read_curve(store, base + "/pmcmc", s.runs),
                    read_curve(store, base + "/rdb", s.runs)};
    Section::Row row;
    row.heading = p.title;
    Chart by_simulations =
        distance_chart(p, "simulations", "simulations (count)", c, &Curve::simulations, false);
    add_exact_sampler(by_simulations, p, c.rdb.simulations);
    Chart by_time = distance_chart(p, "time", "wall-clock time (s)", c, &Curve::seconds, true);
    Chart by_applications = distance_chart(p, "applications", "function applications (count)", c,
                                           &Curve::applications, false);
    if (p.name == "hmm") {
      by_applications.vertical(line_applications, {"mark", 2, "", 1, "forward-backward", false});
      by_time.vertical(line_seconds, {"mark", 2, "", 1, "forward-backward", false});
      row.caption = fmt::format(
          "The red line is forward-backward written as a program "
          "(<code>models/hmm/forward-backward.clj</code>): {} applications "
          "and {} ms give all 17 laws with an error of {}. ",
          count_text(line_applications), number(1000 * line_seconds),
          number(line.data.at("forward-backward").at(0).at(1)));
    }
    row.caption += "The last panel shows one run of each after 1000 simulations.";
    row.figures.push_back({"convergence-" + p.name + "-simulations", by_simulations});
    row.figures.push_back({"convergence-" + p.name + "-time", by_time});
    row.figures.push_back({"convergence-" + p.name + "-applications", by_applications});
    row.figures.push_back({"convergence-" + p.name + "-posterior", posterior_chart(p, store)});
    out.rows.push_back(std::move(row));

    for (const auto& [name, curve] :
         {std::pair<const char*, const Curve*>{"PMCMC", &c.pmcmc}, {"RDB", &c.rdb}}) {
      const double n = curve->simulations.back(), d = curve->median.back();
      const double same = expected_distance(p.law, n),
                   effective = expected_distance(p.law, curve->effective);
      reached += d / effective <= 2;
      worst = std::max(worst, d / effective);
      bounds.push_back({p.title + ", " + name, p.distance(), count_text(n), number(d), number(same),
                        number(d / same), count_text(curve->effective), number(effective),
                        number(d / effective)});
    }

    const Comparison by_count =
        compare(c.pmcmc.simulations, c.pmcmc.median, c.rdb.simulations, c.rdb.median, kFrom);
    if (p.name == "hmm" || p.name == "dp-mixture") {
      out.findings.push_back({p.title + ": PMCMC converges faster than RDB per simulation",
                              verdict_below(by_count), ratios(c)});
    } else if (p.name == "branching") {
      const bool equal = by_count.ratio < 2 && by_count.ratio > 0.5;
      out.findings.push_back({"Branching: PMCMC and RDB are essentially indistinguishable",
                              equal ? Finding::Verdict::Holds : Finding::Verdict::HoldsPartly,
                              ratios(c) + prior_start_note(p)});
    } else {
      const Comparison by_time =
          compare(c.rdb.seconds, c.rdb.median, c.pmcmc.seconds, c.pmcmc.median, 0);
      const Comparison by_apply =
          compare(c.rdb.applications, c.rdb.median, c.pmcmc.applications, c.pmcmc.median, 0);
      const double best = std::max(by_time.ratio, by_apply.ratio);
      out.findings.push_back({"Marsaglia: RDB is competitive with PMCMC",
                              best > 0.5 ? Finding::Verdict::Holds : Finding::Verdict::DoesNotHold,
                              ratios(c)});
    }
  }
  out.findings.push_back({"Every distance reaches what its draws allow",
                          reached == static_cast<int>(bounds.size())
                              ? Finding::Verdict::Holds
                              : Finding::Verdict::HoldsPartly,
                          fmt::format("{} of {} medians are within twice the expected distance of "
                                      "an exact sampler with as many effective draws; "
                                      "the largest factor is {}.",
                                      reached, bounds.size(), number(worst))});
  out.tables =
      "<h3>What the number of draws allows</h3><p>Draws of a Markov chain depend on each other. "
      "How many independent draws they "
      "are worth is read off batch means within each run, which know nothing of the truth. If the "
      "engine is exact, the distance "
      "is then what an exact sampler with that many draws has.</p>" +
      html_table({"run", "distance", "simulations", "median", "exact sampler, as many", "factor",
                  "worth independent draws", "exact sampler, so many", "factor"},
                 bounds);
  return out;
}

}  // namespace chancel::paper
