// SPDX-License-Identifier: Apache-2.0
// What successors of the paper got wrong: rules that look right and have shipped, each run here as
// a small sampler beside our engines on the same model, over independent seeds. A right rule is
// within a few standard errors of the exact value.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "chancel/chancel.hpp"
#include "paper/curves.hpp"
#include "paper/experiment.hpp"
#include "paper/html.hpp"
#include "paper/random.hpp"
#include "paper/texts.hpp"
#include "paper/truth.hpp"
#include "paper/wrong_samplers.hpp"
#include "signals.hpp"

namespace chancel::paper {
namespace {

constexpr unsigned kRuns = 25;  // also when it must be quick: standard errors need them
// Standard errors: of a right estimate once in 25 000 (t with 24 degrees)
constexpr double kFar = 5;

struct Ours {
  const char *engine, *options, *file, *label;
  std::uint64_t samples;          // draws of one run; a tenth when it must be quick
  double at_most = std::nan("");  // the share of values up to this, instead of their mean
};
struct Rule {
  const char *name, *wrong, *quantity;
  double exact;
  const char* reported;  // where it was found, elsewhere
  std::uint64_t steps;   // of the wrong sampler; a tenth when it must be quick
  double (*run)(std::uint64_t steps, Random& random);
  std::vector<Ours> ours;
};

// A file of the binary, or a program written out (it starts with a bracket).
constexpr const char* kInner =
    "(defquery meets [p] (let [here (sample (flip p))] (observe (flip p) here) here))\n"
    "(defquery outer [] (predict :a (sample ((conditional meets :smc :number-of-particles 200) "
    "0.6))))\n";
constexpr const char* kTwoState = "models/two-state/two-state.clj";

double up_to_three(const Law& law) { return law.rows[0][0] + law.rows[0][1] + law.rows[0][2]; }
double mean_of(const Law& law) {
  double sum = 0;
  for (std::size_t v = 0; v < law.rows[0].size(); ++v)
    sum += static_cast<double>(v) * law.rows[0][v];
  return sum;
}

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = {
      {"retained-lost-2",
       "the retained execution is lost before the last observe, 2 particles",
       "two-state: P(s)",
       0.5,
       ".628 ± .006",
       20000,
       [](std::uint64_t n, Random& r) {
         return wrong_particle_gibbs(GibbsMistake::LoseRetained, 2, n, r);
       },
       {{"pgibbs", ":number-of-particles 2", kTwoState, ":s", 40000},
        {"pgas", ":number-of-particles 2", kTwoState, ":s", 40000}}},
      {"retained-lost-10",
       "the same, 10 particles",
       "two-state: P(s)",
       0.5,
       ".517 ± .002",
       20000,
       [](std::uint64_t n, Random& r) {
         return wrong_particle_gibbs(GibbsMistake::LoseRetained, 10, n, r);
       },
       {{"pgibbs", ":number-of-particles 10", kTwoState, ":s", 200000}}},
      {"protected-systematic",
       "systematic resampling beside a protected retained execution, 3 particles",
       "two-state: P(s)",
       0.5,
       ".4639 ± .0010",
       20000,
       [](std::uint64_t n, Random& r) {
         return wrong_particle_gibbs(GibbsMistake::ProtectedSystematic, 3, n, r);
       },
       {{"pgibbs", ":number-of-particles 3", kTwoState, ":s", 60000},
        {"pgibbs", ":number-of-particles 3 :resampling :systematic", kTwoState, ":s", 60000}}},
      {"uniform-node",
       "iPMCMC picks its conditional node uniformly",
       "two-state: P(s)",
       0.5,
       "misses its own target",
       20000,
       [](std::uint64_t n, Random& r) { return wrong_node_index(n, r); },
       {{"ipmcmc", ":number-of-nodes 2 :number-of-csmc-nodes 1 :number-of-particles 2", kTwoState,
         ":s", 80000}}},
      {"kernel-as-prior",
       "a random walk keeps the kernel's density as the prior density",
       "gaussian-chain: E[x]",
       1,
       ".670 ± .014",
       40000,
       [](std::uint64_t n, Random& r) { return wrong_walk(n, r); },
       {{"rmh", ":alpha 1.0 :sigma 0.3", "models/gaussian-chain/gaussian-chain.clj", ":x", 40000}}},
      {"annealing-without-prior",
       "annealed moves are accepted without the prior's terms",
       "marsaglia: E[mu]",
       7.25,
       "8.58 ± .07",
       1000,
       [](std::uint64_t n, Random& r) { return wrong_annealing(n, r); },
       {{"smc", ":number-of-particles 1000", "models/marsaglia/marsaglia.clj", ":mu", 200000},
        {"lmh", "", "models/marsaglia/marsaglia.clj", ":mu", 50000}}},
      {"impossible-label",
       "RDB scores a table label that cannot come next as a new table",
       "dp-mixture: P(at most 3 clusters)",
       up_to_three(mixture_law({}).law),
       ".78",
       200000,
       [](std::uint64_t n, Random& r) { return wrong_tables(n, r); },
       {{"lmh", "", "models/dp-mixture/dp-mixture.clj", ":num-clusters", 200000, 3}}},
      {"fresh-conditional",
       "conditional: one draw of a fresh sampler with 2 particles",
       "conditional: P(here)",
       9.0 / 13,
       ".647 ± .003",
       20000,
       [](std::uint64_t n, Random& r) { return wrong_conditional(n, r); },
       {{"importance", "", kInner, ":a", 1000}}},
      {"weights-dropped",
       "draws are given out without the weights of the last step",
       "branching: E[r]",
       mean_of(branching_law(false)),
       "4.09",
       20000,
       [](std::uint64_t n, Random& r) { return wrong_unweighted(n, r); },
       {{"smc", ":number-of-particles 1000", "models/branching/branching.clj", ":r", 20000}}},
  };
  return all;
}

double estimate(const Ours& ours, std::uint64_t samples, std::uint64_t seed) {
  const bool written = ours.file[0] == '(';
  CompileOptions compile;
  compile.interrupt = tool::user_interrupt();
  compile.name = written ? "program" : ours.file;
  Model model = Model::compile(written ? ours.file : text_of(ours.file), compile);
  InferOptions options;
  options.algorithm = ours.engine;
  options.engine_options = read_engine_options(ours.options);
  options.samples = samples;
  const std::string engine = ours.engine;
  if (engine != "smc" && engine != "importance") options.burn = samples / 10;
  options.seed = seed;
  options.threads = 1;
  Inference run = model.infer(written ? "outer" : model.default_query(), options);
  double shift = std::nan(""), sum = 0, all = 0;
  while (const Draw* draw = run.next()) {
    if (std::isnan(shift)) shift = draw->log_weight;
    const double w = std::exp(draw->log_weight - shift), value = (*draw)[ours.label].number();
    sum += w * (std::isnan(ours.at_most) ? value : value <= ours.at_most);
    all += w;
  }
  if (tool::user_interrupt().requested()) throw Stopped();
  return sum / all;
}

std::string our_name(std::size_t i) { return fmt::format("ours-{}", i + 1); }

struct Mean {
  double mean = 0, error = 0;
};
Mean read_mean(const Store& store, const std::string& curve, unsigned runs) {
  double sum = 0, squares = 0;
  for (unsigned run = 1; run <= runs; ++run) {
    const double x = store.get(run_name(curve, run)).data.at("estimate").at(0).at(0);
    sum += x;
    squares += x * x;
  }
  const double n = runs, mean = sum / n;
  return {mean,
          n > 1 ? std::sqrt(std::max(0.0, squares / n - mean * mean) / (n - 1)) : std::nan("")};
}

std::string mean_html(const Mean& m, double exact) {
  const double away = std::fabs(m.mean - exact) / m.error;
  return fmt::format("{:.4f} ± {:.4f} <span class=\"{}\">({:.1f} s.e.)</span>", m.mean, m.error,
                     away < kFar ? "good" : "bad", away);
}

}  // namespace

std::vector<Cell> wrong_rules_cells(const Settings& s) {
  std::vector<Cell> out;
  for (const Rule& rule : rules()) {
    for (unsigned run = 1; run <= kRuns; ++run) {
      const std::string base = std::string("wrong-rules/") + rule.name;
      const auto add = [&](const std::string& curve, std::uint64_t work,
                           std::function<double(std::uint64_t)> compute) {
        Cell cell;
        cell.name = run_name(base + "/" + curve, run);
        cell.run = run;
        cell.work = work;
        const std::uint64_t seed = seed_of_cell(s.seed, cell.name);
        cell.compute = [compute = std::move(compute), seed] {
          CellResult result;
          result.data.add("estimate", {compute(seed)});
          return result;
        };
        out.push_back(std::move(cell));
      };
      const std::uint64_t steps = s.simulations(rule.steps, rule.steps / 10);
      add("wrong", steps, [&rule, steps](std::uint64_t seed) {
        Random random(seed);
        return rule.run(steps, random);
      });
      for (std::size_t i = 0; i < rule.ours.size(); ++i) {
        const Ours& ours = rule.ours[i];
        const std::uint64_t samples = s.simulations(ours.samples, ours.samples / 10);
        add(our_name(i), samples,
            [&ours, samples](std::uint64_t seed) { return estimate(ours, samples, seed); });
      }
    }
  }
  return out;
}

Section wrong_rules_section(const Settings&, const Store& store) {
  Section out;
  out.title = "What successors got wrong";
  out.intro = fmt::format(
      "<p>Rules that look right, have shipped in other systems, and are not: each is run here as a "
      "small sampler of its own, and our "
      "engines on the same model beside it. Mean and standard error over {} independent runs, and "
      "how many standard errors the "
      "mean is from the exact value. \"Reported\" is what was measured where the rule was found, "
      "in another system with an output rule and an order of observes of its own: an error of such "
      "a size, not the same figure and not always on the same side.</p>",
      kRuns);
  std::vector<std::vector<std::string>> rows;
  int right = 0, ours = 0, caught = 0;
  for (const Rule& rule : rules()) {
    const std::string base = std::string("wrong-rules/") + rule.name;
    const Mean wrong = read_mean(store, base + "/wrong", kRuns);
    caught += std::fabs(wrong.mean - rule.exact) >= kFar * wrong.error;
    std::string beside;
    for (std::size_t i = 0; i < rule.ours.size(); ++i) {
      const Mean mean = read_mean(store, base + "/" + our_name(i), kRuns);
      ++ours;
      right += std::fabs(mean.mean - rule.exact) < kFar * mean.error;
      beside += fmt::format("{}<code>{} {}</code> {}", i ? "<br>" : "", rule.ours[i].engine,
                            html_text(rule.ours[i].options), mean_html(mean, rule.exact));
    }
    rows.push_back({rule.wrong, rule.quantity, fmt::format("{:.4f}", rule.exact),
                    mean_html(wrong, rule.exact), rule.reported, beside});
  }
  out.tables = "<div class=\"words\">" +
               html_table({"wrong rule", "model and quantity", "exact", "the wrong rule gives",
                           "reported", "our engines"},
                          rows) +
               "</div>";
  out.findings = {{"Our engines are exact where successors were not",
                   right == ours ? Finding::Verdict::Holds : Finding::Verdict::HoldsPartly,
                   fmt::format("{} of {} estimates are within {} standard errors; {} of {} wrong "
                               "rules are further out.",
                               right, ours, kFar, caught, rules().size())}};
  return out;
}

}  // namespace chancel::paper
