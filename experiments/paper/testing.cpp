// SPDX-License-Identifier: Apache-2.0
// The paper's three levels of testing. Unit: small deterministic programs of test/lang, whose
// values are written beside them. Measure: programs without observes, whose predicts must come near
// the prior. Conditional measure: the same with observes. The last two for every engine.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <sstream>

#include "chancel/chancel.hpp"
#include "paper/curves.hpp"
#include "paper/exact_sampler.hpp"
#include "paper/experiment.hpp"
#include "paper/html.hpp"
#include "paper/texts.hpp"
#include "paper/trajectory.hpp"
#include "signals.hpp"

namespace chancel::paper {
namespace {

constexpr const char* kUnit = "testing/unit/01";
constexpr double kSlack = 2;  // for effective draws, which are estimates too

std::uint64_t simulations(const Settings& s) { return s.simulations(100000, 4000); }

std::vector<Problem> measure_problems() {
  std::vector<Problem> out = prior_problems();
  out.push_back(two_state_problem(true));
  return out;
}
std::vector<Problem> conditional_problems() {
  std::vector<Problem> out = paper_problems();
  out.push_back(two_state_problem(false));
  return out;
}

bool is_chain(const std::string& engine) {
  for (const char* name : {"importance", "smc", "pcascade", "anneal", "enumerate", "rejection"})
    if (engine == name) return false;
  return true;
}

bool is_single_site(const std::string& engine) {
  for (const char* name : {"lmh", "rmh", "almh", "plmh", "palmh"})
    if (engine == name) return true;
  return false;
}

// Options of an engine in this table, or why it cannot run the program.
struct Setup {
  std::string options, why_not;
};
Setup setup(const std::string& engine, const Problem& p, bool conditional) {
  if (engine == "ipmcmc")
    return {":number-of-nodes 4 :number-of-csmc-nodes 2 :number-of-particles 100", ""};
  if (engine == "nuts" || engine == "block" || engine == "map" || engine == "laplace")
    return {"", "for continuous draws"};
  if (engine == "pmmh") return {"", "for series with parameters"};
  if (engine == "partition" && !(conditional && p.name == "dp-mixture"))
    return {"", "for mixtures by a CRP"};
  if (engine == "plmh" || engine == "palmh") return {":number-of-threads 2", ""};
  if (engine == "enumerate") {
    if (p.name == "two-state") return {};
    return {"", p.name == "hmm" ? "3^17 executions" : "not finite"};
  }
  if (engine == "rejection") {
    // Bounds of the log-likelihood: two observes from a normal with sd sqrt 2 have -2.531 at most.
    if (!conditional || p.name == "branching" || p.name == "two-state") return {":log-bound 0", ""};
    if (p.name == "marsaglia") return {":log-bound -2.53", ""};
    return {"", p.name == "hmm" ? "keeps 3 of 10^13" : "no bound"};
  }
  for (const char* name : {"smc", "pimh", "pgibbs", "pgas", "pcascade"})
    if (engine == name) return {":number-of-particles 100", ""};
  return {};
}

std::string curve_name(const std::string& engine, const Problem& p, bool conditional) {
  return fmt::format("testing/{}/{}/{}", conditional ? "conditional" : "measure", p.name, engine);
}

// Scripts of test/lang that only give values (and need no gigabyte, as depth/ does): every line
// with `;; expect:` is one expectation.
CellResult unit_tests() {
  constexpr std::string_view kMark = ";; expect:";
  CellResult out;
  double programs = 0, expectations = 0, failures = 0;
  for (const Text& t : texts()) {
    if (!t.name.starts_with("test/lang/") || t.text.find(";; expect-") != std::string_view::npos)
      continue;
    std::map<std::size_t, std::string> wanted;
    std::istringstream in{std::string(t.text)};
    std::string line;
    for (std::size_t n = 1; std::getline(in, line); ++n) {
      const std::size_t at = line.find(kMark);
      if (at == std::string::npos) continue;
      std::string value = line.substr(at + kMark.size());
      const std::size_t first = value.find_first_not_of(' '), last = value.find_last_not_of(" \r");
      wanted[n] = first == std::string::npos ? "" : value.substr(first, last - first + 1);
    }
    if (wanted.empty()) continue;
    if (tool::user_interrupt().requested()) throw Stopped();
    ++programs;
    expectations += static_cast<double>(wanted.size());
    std::map<std::size_t, std::string> seen;
    try {
      CompileOptions options;
      options.interrupt = tool::user_interrupt();
      options.name = t.name;
      Script script(options, 1);
      script.evaluate(std::string(t.text), options.name,
                      [&](const Script::Result& r) { seen[r.line] = r.text; });
    } catch (const Error&) {
      if (tool::user_interrupt().requested()) throw Stopped();
      // What was not evaluated is missing from `seen`.
    }
    for (const auto& [n, value] : wanted) {
      if (seen.contains(n) && seen[n] == value) continue;
      ++failures;
      out.data.add("unit-failure",
                   {static_cast<double>(&t - texts().data()), static_cast<double>(n)});
    }
  }
  out.data.add("unit", {programs, expectations, failures});
  return out;
}

std::string cell_html(const Store& store, const std::string& engine, const Problem& p,
                      bool conditional, int* far, int* run) {
  const Setup how = setup(engine, p, conditional);
  if (!how.why_not.empty()) return "<span class=\"note\">" + how.why_not + "</span>";
  const Rows rows = store.get(run_name(curve_name(engine, p, conditional), 1)).data;
  const auto& distances = rows.at("distance");
  if (distances.empty()) return "–";
  const double last = distances.back()[2], effective = rows.at("effective").at(0).at(1);
  ++*run;
  if (last < 1e-12) return "<b>exact</b>";
  const double factor =
      last / expected_distance(p.law, std::isnan(effective) ? 1 : std::max(1.0, effective));
  const bool near = factor <= kSlack * unlikely_factor(p.law);
  *far += !near;
  return fmt::format("{} <span class=\"{}\">({})</span>", number(last), near ? "good" : "half",
                     number(factor));
}

std::string level_table(const Store& store, const std::vector<Problem>& problems, bool conditional,
                        int* far, int* run) {
  std::vector<std::string> head = {"engine"};
  for (const Problem& p : problems) head.push_back(fmt::format("{} ({})", p.title, p.distance()));
  std::vector<std::vector<std::string>> rows;
  for (const EngineInfo& e : engines()) {
    std::vector<std::string> row = {"<code>" + e.name + "</code>"};
    for (const Problem& p : problems)
      row.push_back(cell_html(store, e.name, p, conditional, far, run));
    rows.push_back(std::move(row));
  }
  return html_table(head, rows);
}

}  // namespace

std::vector<Cell> testing_cells(const Settings& s) {
  std::vector<Cell> out;
  Cell unit;
  unit.name = kUnit;
  unit.compute = unit_tests;
  out.push_back(std::move(unit));
  for (const bool conditional : {false, true}) {
    for (const Problem& p : conditional ? conditional_problems() : measure_problems()) {
      const auto problem = std::make_shared<const Problem>(p);
      for (const EngineInfo& e : engines()) {
        const Setup how = setup(e.name, p, conditional);
        if (!how.why_not.empty()) continue;
        Trajectory plan;
        plan.engine = e.name;
        plan.options = how.options;
        plan.simulations = simulations(s);
        // A cluster is merged one point at a time: single-site chains need the length.
        if (conditional && p.name == "dp-mixture" && is_single_site(e.name)) plan.simulations *= 10;
        if (is_chain(e.name)) plan.burn = plan.simulations / 10;
        out.push_back(trajectory_cell(s, curve_name(e.name, p, conditional), 1, problem, plan));
      }
    }
  }
  return out;
}

Section testing_section(const Settings& s, const Store& store) {
  Section out;
  out.title = "The three levels of testing";
  const Rows unit_rows = store.get(kUnit).data;
  const std::vector<double> unit = unit_rows.at("unit").at(0);
  std::string wrong;
  for (const auto& row : unit_rows.at("unit-failure"))
    wrong += fmt::format(" {}:{}", texts()[static_cast<std::size_t>(row[0])].name, row[1]);
  out.intro = fmt::format(
      "<p><b>Unit tests</b> of the language: {} deterministic programs with {} values written "
      "beside them; {} are wrong.</p>"
      "<p><b>Measure tests</b>: programs without <code>observe</code>. <b>Conditional measure "
      "tests</b>: with. One run of each "
      "engine with {} simulations, of which Markov chains drop the first tenth (single-site chains "
      "on the DP mixture with observes: ten times as many); the distance to "
      "the "
      "exact law and, in brackets, how many times that of an exact sampler with as many effective "
      "draws it is. Around 1 is "
      "what a right engine has; a factor that a right one has once in ten thousand runs, twice "
      "over, is marked: the engine "
      "has not come near yet, as importance sampling cannot when one execution has nearly all the "
      "weight.</p>",
      count_text(unit[0]), count_text(unit[1]), count_text(unit[2]),
      count_text(static_cast<double>(simulations(s))));
  int far_measure = 0, run_measure = 0, far_conditional = 0, run_conditional = 0;
  out.tables = "<h3>Measure tests</h3>" +
               level_table(store, measure_problems(), false, &far_measure, &run_measure) +
               "<h3>Conditional measure tests</h3>" +
               level_table(store, conditional_problems(), true, &far_conditional, &run_conditional);
  const auto verdict = [](int far) {
    return far == 0 ? Finding::Verdict::Holds : Finding::Verdict::HoldsPartly;
  };
  out.findings = {{"All unit tests pass",
                   unit[2] == 0 ? Finding::Verdict::Holds : Finding::Verdict::DoesNotHold,
                   fmt::format("{} of {} values are as written.", count_text(unit[1] - unit[2]),
                               count_text(unit[1]))},
                  {"All measure tests converge", verdict(far_measure),
                   fmt::format("{} of {} runs are what a right engine has.",
                               run_measure - far_measure, run_measure)},
                  {"All conditional measure tests converge", verdict(far_conditional),
                   fmt::format("{} of {} runs are what a right engine has.",
                               run_conditional - far_conditional, run_conditional)}};
  return out;
}

}  // namespace chancel::paper
