// SPDX-License-Identifier: Apache-2.0
// Where the paper's text is ambiguous or differs from the authors' published worksheets: all
// readings, their exact answers, and PMCMC on each. The figures take the reading that the code as
// printed encodes. Also the check of the truth: what this program computes against models/.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "paper/curves.hpp"
#include "paper/exact_sampler.hpp"
#include "paper/experiment.hpp"
#include "paper/html.hpp"
#include "paper/texts.hpp"
#include "paper/trajectory.hpp"

namespace chancel::paper {
namespace {

struct Reading {
  std::string name, what, used;
  Problem problem;
  std::string truth_file;  // the program in models/*/truth.json, if it is there
};

unsigned runs(const Settings& s) { return std::min(s.runs, 5u); }
std::uint64_t simulations(const Settings& s) { return s.simulations(200000, 10000); }
std::string curve_name(const Reading& r) { return "readings/" + r.name; }

std::vector<Reading> readings() {
  std::vector<Reading> out;
  out.push_back({"hmm-text", "HMM, new syntax, data of the text (5, 2, 0.1)", "Figures 1 and 3",
                 hmm_problem(), "hmm.clj"});
  out.push_back({"hmm-original", "HMM, original syntax, the same data", "Figure 2", original_hmm(),
                 "hmm.vnt"});
  Problem signs = hmm_problem();
  signs.program = replaced(signs.program, "5 2 0.1", "-5 -2 -0.1");
  signs.law = hmm_law(hmm_worksheet_data());
  out.push_back({"hmm-worksheet", "HMM, signs of the worksheet (−5, −2, −0.1)", "", signs, ""});

  out.push_back({"dp-new", "DP mixture, new syntax, arguments of the worksheet (1.72 0 100 1 10)",
                 "Figures 1 and 3", mixture_problem(), "dp-mixture.clj"});
  out.push_back({"dp-original",
                 "DP mixture, original syntax read literally: <code>normal</code> takes a standard "
                 "deviation, "
                 "<code>gamma</code> a rate",
                 "Figure 2", original_mixture(), "dp-mixture.vnt"});
  const auto original = [&](const char* name, const char* what, bool variance, bool scale,
                            MixturePrior prior) {
    Problem p = original_mixture();
    p.program = replaced(p.program, "(* 10 (/ 1 (gamma 1 10)))",
                         fmt::format("{}(* 10 (/ 1 (gamma 1 {}))){}", variance ? "(sqrt " : "",
                                     scale ? "0.1" : "10", variance ? ")" : ""));
    p.law = mixture_law(prior).law;
    out.push_back({name, what, "", p, ""});
  };
  original("dp-sd-scale", "DP mixture, original: standard deviation and gamma's scale", false, true,
           {false, 0, 0, 1});
  original("dp-variance-rate", "DP mixture, original: variance and rate (normal-gamma)", true,
           false, {true, 1, 1, 100});
  original("dp-variance-scale", "DP mixture, original: variance and scale (normal-gamma)", true,
           true, {true, 1, 1, 1});

  out.push_back({"branching-new", "Branching, new syntax: fib starts 0, 1", "Figure 1",
                 branching_problem(), "branching.clj"});
  out.push_back({"branching-original",
                 "Branching, original syntax and worksheet code: fib starts 1, 1", "",
                 original_branching(), "branching.vnt"});
  out.push_back(
      {"marsaglia-new", "Marsaglia, new syntax", "Figure 1", marsaglia_problem(), "marsaglia.clj"});
  out.push_back({"marsaglia-original", "Marsaglia, original syntax", "", original_marsaglia(),
                 "marsaglia.vnt"});
  return out;
}

std::string law_text(const Problem& p) {
  if (p.law.normal) return fmt::format("mu ~ normal({:.4f}, {:.4f})", p.law.mean, p.law.sd);
  std::string out = p.name == "hmm"    ? "P(state 6) = "
                    : p.law.first == 1 ? "P(K=1..6) = "
                                       : "P(r=0..7) = ";
  const std::vector<double>& row = p.law.rows[p.name == "hmm" ? 6 : 0];
  const std::size_t shown = p.name == "hmm" ? 3 : p.law.first == 1 ? 6 : 8;
  for (std::size_t i = 0; i < shown; ++i) out += fmt::format("{}{:.4f}", i ? " " : "", row[i]);
  return out;
}

// The programs that all this is about, folded.
std::string programs_html() {
  std::string out = "<h3>The programs</h3>";
  for (const char* file :
       {"hmm/hmm", "dp-mixture/dp-mixture", "branching/branching", "marsaglia/marsaglia"})
    for (const char* syntax : {".clj", ".vnt"}) {
      const std::string name = fmt::format("models/{}{}", file, syntax);
      out += fmt::format("<details><summary><code>{}</code></summary><pre>{}</pre></details>", name,
                         html_text(text_of(name)));
    }
  return out;
}

}  // namespace

std::vector<Cell> readings_cells(const Settings& s) {
  std::vector<Cell> out;
  for (const Reading& r : readings()) {
    const auto problem = std::make_shared<const Problem>(r.problem);
    for (unsigned run = 1; run <= runs(s); ++run) {
      Trajectory plan;
      plan.engine = "pgibbs";
      plan.options = ":number-of-particles 100";
      plan.simulations = simulations(s);
      out.push_back(trajectory_cell(s, curve_name(r), run, problem, plan));
    }
  }
  return out;
}

Section readings_section(const Settings& s, const Store& store) {
  Section out;
  out.title = "Readings, and the truth";
  out.intro =
      "<p>The text of the paper leaves some things open, and the authors' worksheets differ from "
      "it. The figures use what the code as "
      "printed says; here are the alternatives with their exact answers, and how far PMCMC is from "
      "each. The DP mixture is the odd one: "
      "the paper calls its prior normal-gamma, which the original program is only if "
      "<code>normal</code> took a variance (in Marsaglia "
      "of the same paper it takes a standard deviation); no arguments of the new program give the "
      "literal original. The text also speaks of a trailing state of the HMM after the last "
      "observation; the printed program predicts states 0 to 16, and KL* sums over these.</p>"
      "<p>The exact answers are computed by this program: forward-backward for the HMM, the sum "
      "over all partitions for the DP mixture, "
      "sums over both draws for branching, conjugacy for Marsaglia. The last column compares them "
      "with <code>models/*/truth.json</code>, "
      "which a Python script finds by other means (for the DP mixture a recursion over "
      "subsets).</p>";
  std::vector<std::vector<std::string>> rows;
  double most = 0;
  for (const Reading& r : readings()) {
    const Curve c = read_curve(store, curve_name(r), runs(s));
    const Law& law = r.problem.law;
    const double expected = expected_distance(law, std::max(1.0, c.effective));
    std::string difference = "–";
    if (!r.truth_file.empty()) {
      const double d = difference_to_file(law, r.problem.name, r.truth_file);
      most = std::max(most, d);
      difference = number(d);
    }
    rows.push_back({r.what, r.used, law_text(r.problem), fmt::format("{:.6f}", law.log_evidence),
                    fmt::format("{} {}", r.problem.distance(), number(c.median.back())),
                    number(c.median.back() / expected), difference});
  }
  const std::size_t partitions = mixture_law({}).partitions;
  out.tables = html_table({"reading", "used in", "exact answer", "log evidence", "PMCMC's distance",
                           "times the exact sampler's", "difference to models/"},
                          rows) +
               programs_html();
  out.findings = {{"The truth is enumerated again, independently",
                   most < 1e-9 ? Finding::Verdict::Holds : Finding::Verdict::DoesNotHold,
                   fmt::format("{} partitions of the ten points were summed; the largest "
                               "difference between any exact answer here and in "
                               "models/ is {}.",
                               count_text(static_cast<double>(partitions)), number(most))}};
  return out;
}

}  // namespace chancel::paper
