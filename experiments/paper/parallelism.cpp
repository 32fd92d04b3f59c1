// SPDX-License-Identifier: Apache-2.0
// What the paper could only sketch with dotted lines: distance against wall-clock time on 1, 2, ...
// threads, up to the cores of this machine. One sweep of PMCMC is split over the threads, so it has
// 2000 particles here; smc runs sweeps of 1000 side by side. Seeds are the same for all thread
// counts, and so must the draws be.
#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "paper/curves.hpp"
#include "paper/experiment.hpp"
#include "paper/html.hpp"
#include "paper/random.hpp"
#include "paper/trajectory.hpp"

namespace chancel::paper {
namespace {

struct Engine {
  const char *name, *title, *engine, *options;
};
constexpr Engine kEngines[] = {
    {"pmcmc", "PMCMC, 2000 particles", "pgibbs", ":number-of-particles 2000"},
    {"smc", "SMC, sweeps of 1000", "smc", ":number-of-particles 1000"}};
constexpr const char* kColours[] = {"pmcmc", "rdb", "#1b9e77", "#984ea3", "#c0392b", "#7f7f7f"};

std::uint64_t simulations(const Settings& s) { return s.simulations(400000, 20000); }
unsigned runs(const Settings& s) { return std::min(s.runs, 5u); }
std::vector<Problem> problems() { return {hmm_problem(), mixture_problem()}; }

std::vector<unsigned> thread_counts() {
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<unsigned> out;
  for (unsigned t = 1; t < cores; t *= 2) out.push_back(t);
  out.push_back(cores);
  return out;
}

std::string curve_name(const Problem& p, const Engine& e, unsigned threads) {
  return fmt::format("parallelism/{}/{}/threads-{:02}", p.name, e.name, threads);
}

}  // namespace

std::vector<Cell> parallelism_cells(const Settings& s) {
  std::vector<Cell> out;
  for (const Problem& p : problems()) {
    const auto problem = std::make_shared<const Problem>(p);
    for (const Engine& e : kEngines) {
      for (const unsigned threads : thread_counts()) {
        for (unsigned run = 1; run <= runs(s); ++run) {
          Cell cell;
          cell.name = run_name(curve_name(p, e, threads), run);
          cell.run = run;
          cell.alone = true;
          Trajectory plan;
          plan.problem = problem.get();
          plan.engine = e.engine;
          plan.options = e.options;
          plan.simulations = cell.work = simulations(s);
          plan.threads = threads;
          plan.seed = seed_of_cell(s.seed, run_name(curve_name(p, e, 0), run));
          cell.compute = [plan, problem] { return follow(plan); };
          out.push_back(std::move(cell));
        }
      }
    }
  }
  return out;
}

Section parallelism_section(const Settings& s, const Store& store) {
  Section out;
  out.title = "Parallelism";
  out.intro = fmt::format(
      "<p>The paper's dotted lines said what threads should bring. Here they are measured: {} runs "
      "with the same seeds on each number of "
      "threads of this machine, one at a time, medians. Time includes reading every predict, which "
      "one thread does.</p>",
      runs(s));
  Section::Row row;
  row.heading = "Distance against wall-clock time";
  std::vector<std::vector<std::string>> table;
  bool same = true;
  double best = 0;
  for (const Problem& p : problems()) {
    for (const Engine& e : kEngines) {
      Chart chart(fmt::format("{}: {}", p.title, e.title), {"wall-clock time (s)", true},
                  {fmt::format("{} ({}), median", p.distance(), p.distance_unit()), true});
      double alone = 0;
      std::size_t colour = 0;
      for (const unsigned threads : thread_counts()) {
        const Curve c = read_curve(store, curve_name(p, e, threads), runs(s));
        chart.line(c.seconds, c.median,
                   {kColours[colour++ % std::size(kColours)], 2, "", 1,
                    fmt::format("{} thread{}", threads, threads > 1 ? "s" : ""), true});
        if (threads == 1) alone = c.seconds.back();
        for (unsigned run = 1; run <= runs(s); ++run)
          same = same && store.get(run_name(curve_name(p, e, threads), run)).data.text() ==
                             store.get(run_name(curve_name(p, e, 1), run)).data.text();
        best = std::max(best, alone / c.seconds.back());
        table.push_back({fmt::format("{}, {}", p.title, e.title), fmt::format("{}", threads),
                         count_text(c.simulations.back()), number(c.seconds.back()),
                         number(alone / c.seconds.back())});
      }
      row.figures.push_back({fmt::format("parallelism-{}-{}", p.name, e.name), chart});
    }
  }
  out.rows.push_back(std::move(row));
  out.tables = html_table({"run", "threads", "simulations", "seconds", "speed-up"}, table);
  out.findings.push_back({"Threads do not change a draw",
                          same ? Finding::Verdict::Holds : Finding::Verdict::DoesNotHold,
                          "All distances, applications and posteriors of each seed are compared "
                          "bit by bit between thread counts."});
  out.findings.push_back({"Parallelism shifts PMCMC's curves to the left",
                          Finding::Verdict::Measured,
                          fmt::format("The largest speed-up on this machine's {} cores is {}. "
                                      "Other work on the machine takes from it.",
                                      thread_counts().back(), number(best))});
  return out;
}

}  // namespace chancel::paper
