// SPDX-License-Identifier: Apache-2.0
// A summary of the draws of a run: for each predict label its mean, spread, quantiles or
// probabilities, each with its error, and how far they can be trusted. Feed draws to a
// SummaryBuilder as they come, then ask for the summary, a table or JSON.
//
//   chancel::SummaryBuilder builder;
//   for (const chancel::Draw& draw : run) builder.add(draw);
//   std::string text = chancel::table(builder.summary(), run.statistics(), info);
//
// Labels whose values keep their shape are taken apart: `:states[3]`, `:model[:mu]`. A label whose
// shape changes is described by its most probable values. Memory: 8 bytes a number and draw, 4 a
// discrete value and draw.
//
// Equal weights: ESS_bulk, ESS_tail, R_hat and MCSE as in Vehtari et al. 2021 (the R package
// posterior). Unequal weights: ESS = (sum w)^2 / sum w^2, MCSE^2 = sum w^2 (x - mean)^2 / (sum
// w)^2; where a sweep gives several draws, which share ancestors, both are corrected by the
// autocorrelation of w (x - mean). docs/summary.md explains every statistic.
#pragma once
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chancel/chancel.hpp"

namespace chancel {

namespace report {
struct DrawColumns;
}

struct Support {
  std::string value;  // as pr prints it
  double probability = 0;
  double mcse = 0;  // of the probability
};

// One row of the summary. A statistic that is not defined is NaN.
struct Estimate {
  enum class Kind { Real, Discrete, Structure };
  std::string predict;  // the label: ":states"
  std::string path;     // "[3]", empty for a whole value
  Kind kind = Kind::Real;
  bool numeric = false;  // Real, and Discrete of integers
  double presence = 1;   // share of the weight whose draws have this label
  // Whether the draws differ. One value in all of them has no MCSE, unless it depends on no draw
  // (Fixed: MCSE 0); Coalesced: the draws are particles of few sweeps, which may share one
  // ancestor.
  enum class Change { Yes, No, Coalesced, Fixed };
  Change change = Change::Yes;
  bool never_changed() const { return change == Change::No || change == Change::Coalesced; }
  double mean = 0, mcse = 0, sd = 0, mad = 0, q5 = 0, q50 = 0, q95 = 0;
  double ess_bulk = 0, ess_tail = 0, r_hat = 0;
  // Of chains of equal weights that disagree (R_hat above 1.05), by number: where each of them is.
  std::vector<double> chain_means;
  std::vector<Support> support;  // Discrete: all, integers ascending; Structure: the most probable
  std::uint64_t distinct = 0;    // number of different values
  bool distinct_is_bound = false;  // there are more than `distinct`
  std::string label() const { return predict + path; }
};

struct Correlation {
  std::string first, second;  // labels
  double value = 0;
  double slope = 0;         // of the first by the second
  bool same_label = false;  // parts of one value
};

// Labels that chains have in different orders: their values, sorted within each draw, agree. Discrete:
// which of them are equal agrees.
struct ExchangedLabels {
  std::string labels;    // ":means", ":a and :b"
  double r_hat = 0;      // the largest of them
  double unordered = 0;  // the largest of the sorted values (NaN: they never change)
  bool discrete = false;
};

struct Summary {
  std::uint64_t draws = 0;
  std::uint64_t sweeps = 0;  // over all chains; equals draws for engines that give one draw a step
  unsigned chains = 0;
  bool weighted = false;  // weights differ
  double weight_ess = 0;  // (sum w)^2 / sum w^2 of the draws
  // Shape k-hat of a generalised Pareto distribution fitted to the largest weights: above 0.7 means and
  // errors cannot be trusted (Vehtari et al. 2024). NaN: weights are equal, or too few to fit.
  double pareto_k = std::numeric_limits<double>::quiet_NaN();
  // Draws are executions with their probabilities, not a matter of chance: there is no MCSE, ESS or
  // R_hat.
  bool enumerated = false;
  std::vector<Estimate> estimates;
  std::optional<Correlation> strongest;  // of two labels, in draws of equal weight
  std::optional<ExchangedLabels> exchanged;
  // Of gradient moves: how freely the energy changes, in the worst chain (E-BFMI); NaN = none.
  double energy_fraction = std::numeric_limits<double>::quiet_NaN();
};

class SummaryBuilder {
 public:
  SummaryBuilder();
  SummaryBuilder(SummaryBuilder&&) noexcept;
  SummaryBuilder& operator=(SummaryBuilder&&) noexcept;
  ~SummaryBuilder();
  void add(const Draw& draw);
  // `statistics` of the run, so far as they are known. The same bits for any number of threads (0 =
  // all cores).
  Summary summary(const RunStatistics& statistics = {}, unsigned threads = 0) const;
  // About the processor time that summary() takes now.
  double expected_seconds() const;
  const report::DrawColumns& columns() const { return *columns_; }  // for report pages
  report::DrawColumns& columns() { return *columns_; }              // for stored states

 private:
  std::unique_ptr<report::DrawColumns> columns_;
};

// What was run, for the last lines of a table and the head of a JSON summary.
struct RunInfo {
  std::string program;  // file name
  std::string query;
  std::string value = "nil";  // the query's argument, as it was given
  std::string algorithm;      // an engine, or auto
  std::vector<EngineOption> engine_options;
  std::uint64_t thin = 1;
  std::optional<std::uint64_t> samples, ess, rounds, warmup, burn;  // as they were asked for
  unsigned chains = 0;                                              // 0 = not asked for
  bool prior = false;                                               // observes were left out
  bool pointwise = false;  // log-likelihoods of observes were kept
  std::uint64_t seed = 0;
  std::string command;  // repeats the run; empty = not shown
};

// One sentence about the quality of the answer, and what to do. Most serious first.
struct Advice {
  enum class Weight { Grave, Doubt, Note };
  Weight weight = Weight::Note;
  std::string code;  // of the message where it has one: "I007"
  std::string message;
  std::string hint;
};
std::vector<Advice> advise(const Summary& summary, const RunStatistics& statistics);

struct TableOptions {
  bool colour = false;
  std::size_t rows_per_label = 100;  // elements of one label; the rest is counted
  // Vectors of more elements, and those of predictive labels, are one line each; 0: nothing is folded.
  std::size_t fold_above = 12;
  std::size_t values_per_label = 10;
  std::string unfolding = "--labels shows every element";  // below what is folded
};
// The whole summary as text: estimates, statistics, advice.
std::string table(const Summary& summary, const RunStatistics& statistics, const RunInfo& info,
                  const TableOptions& options = {});
// Only the estimates, the number of draws, and the advice: for draws of which nothing else is
// known.
std::string draws_table(const Summary& summary, const TableOptions& options = {});
// Only the lines below the estimates (evidence, acceptance, work, seed ...), and only the advice.
std::string statistics_text(const Summary& summary, const RunStatistics& statistics,
                            const RunInfo& info);
std::string advice_text(const Summary& summary, const RunStatistics& statistics,
                        bool colour = false);
// What each line of the program costs; `source` is its text.
std::string profile_table(const std::vector<LineProfile>& profile, const std::string& source,
                          bool colour = false);
// One object; the schema is in docs/summary.md.
std::string json(const Summary& summary, const RunStatistics& statistics, const RunInfo& info);

}  // namespace chancel
