// SPDX-License-Identifier: Apache-2.0
// What to tell a person about the quality of an answer. Bounds are the usual ones of the field:
// R-hat 1.01 and 100 effective draws a chain (Vehtari et al. 2021). One sentence for each kind of
// trouble, about its worst label, not one for each label.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chancel/summary.hpp"
#include "report/acceptance.hpp"
#include "report/divergence_text.hpp"
#include "report/evidence_text.hpp"
#include "report/remedy.hpp"
#include "report/text_table.hpp"

namespace chancel {
namespace {

using Weight = Advice::Weight;

void advise_on_messages(std::vector<Advice>& list, const RunStatistics& statistics) {
  for (const Message& message : statistics.warnings) {
    // An interrupt, a time limit or data that the query does not take say nothing about the draws,
    // if there are any.
    const bool harmless = message.code == "I004" || message.code == "U003" ||
                          message.code.starts_with("F") ||
                          (message.code.starts_with("L") && statistics.draws > 0);
    const bool grave =
        !harmless && (message.error || message.code == "I003" || message.code == "I007");
    std::string place = message.line > 0 ? fmt::format(" (line {})", message.line) : "";
    list.push_back({grave      ? Weight::Grave
                    : harmless ? Weight::Note
                               : Weight::Doubt,
                    message.code, message.message + place, message.hint});
  }
}

std::string and_another_engine(const std::string& hint, const RunStatistics& statistics) {
  const std::string engine =
      report::another_engine(statistics, {"list", "gradient", "particle-chain", "single-site"});
  return engine.empty() ? hint : hint + ", or " + engine;
}

// Few draws carry the weight, or the tail of the weights is so heavy that larger ones are still to come
// (Vehtari et al. 2024: above 0.7 errors are not what they seem, from 1 on the mean need not exist).
void advise_on_weights(std::vector<Advice>& list, const Summary& summary,
                       const RunStatistics& statistics) {
  constexpr double kHeavy = 0.7, kNoMean = 1;
  if (!summary.weighted || summary.draws < 2) return;
  const double size = summary.weight_ess;
  const bool few = size < 100 && size < 0.5 * static_cast<double>(summary.draws);
  const bool heavy = summary.pareto_k > kHeavy;
  if (!few && !heavy) return;
  const std::string tail = report::pareto_k_text(summary.pareto_k);
  const std::string text =
      fmt::format("the weights are uneven: {} draws, effective sample size {:.1f}{}", summary.draws,
                  size, tail);
  list.push_back(
      {(few && size < 10) || summary.pareto_k >= kNoMean ? Weight::Grave : Weight::Doubt, "I007",
       heavy ? fmt::format("{} (above {})", text, kHeavy) : text,
       and_another_engine("give more particles (--particles) or draws (-n)", statistics)});
}

// Fewer than two particles carried everything at some observe.
void advise_on_observes(std::vector<Advice>& list, const RunStatistics& statistics) {
  if (statistics.min_ess_line == 0 || statistics.min_ess >= 2 || statistics.mean_ess < 2.5) return;
  list.push_back({Weight::Doubt, "",
                  fmt::format("ESS collapsed at line {}: {:.1f} particles carried a sweep there, "
                              "{:.1f} on average over all observes",
                              statistics.min_ess_line, statistics.min_ess, statistics.mean_ess),
                  "give more particles (--particles), or observe sooner and in smaller parts; "
                  "--profile shows what each line costs"});
}

// Diagnostics need draws: a run that a limit has ended may have a few, or chains without any, and
// those that are missing are the slow ones.
void advise_on_length(std::vector<Advice>& list, const Summary& summary,
                      const RunStatistics& statistics) {
  constexpr std::uint64_t kFewest = 20;
  if (summary.draws == 0 || summary.enumerated || statistics.left_out ||
      statistics.family == "mode")
    return;
  if (summary.draws < kFewest) {
    list.push_back(
        {Weight::Grave, "",
         fmt::format("{} draw{} can say nothing about a posterior, nor about {} own error",
                     summary.draws, summary.draws == 1 ? "" : "s",
                     summary.draws == 1 ? "its" : "their"),
         statistics.interrupted || !statistics.stopped.empty()
             ? "give the run more time (--timeout)"
             : "ask for more draws (-n)"});
    return;
  }
  for (const Estimate& row : summary.estimates) {
    if (row.change != Estimate::Change::Yes || row.kind == Estimate::Kind::Structure ||
        !std::isnan(row.ess_bulk) || row.presence < 1)
      continue;
    list.push_back({Weight::Grave, "",
                    fmt::format("the effective sample size of {} is undefined", row.label()),
                    "run longer (-n, --timeout), so that every chain has draws to compare"});
    return;
  }
}

// Labels with one value in all draws: a chain that is stuck looks like certainty. Where the draws
// are independent and many, all of them agreeing bounds the probability of anything else ("rule of
// three").
void advise_on_constants(std::vector<Advice>& list, const Summary& summary,
                         const RunStatistics& statistics) {
  if (statistics.left_out == 0.0) return;  // every execution was enumerated: it is certain
  constexpr double kEnough = 20;
  const bool sweeps = summary.sweeps < summary.draws;
  const double units = sweeps             ? static_cast<double>(summary.sweeps)
                       : summary.weighted ? summary.weight_ess
                                          : static_cast<double>(summary.draws);
  const Estimate* worst = nullptr;
  std::size_t count = 0;
  for (const Estimate& row : summary.estimates) {
    if (!row.never_changed()) continue;
    ++count;
    if (worst == nullptr) worst = &row;
  }
  if (worst == nullptr) return;
  const std::string others = count > 1 ? fmt::format(" ({} labels)", count) : "";
  if (statistics.independent && units >= kEnough) {
    list.push_back({Weight::Note, "",
                    fmt::format("{} is the same in all draws{}: the probability of another value "
                                "is below {:.2g} (95 %)",
                                worst->label(), others, 3 / units),
                    ""});
    return;
  }
  if (worst->change == Estimate::Change::Coalesced) {
    list.push_back(
        {Weight::Grave, "",
         fmt::format("{} is the same in all draws{}: its particles may share one "
                     "ancestor, so there is no MCSE",
                     worst->label(), others),
         and_another_engine("take more sweeps (-n) of more particles (--particles)", statistics)});
    return;
  }
  std::string why;
  if (const SiteAcceptance* site = report::worst_site(statistics))
    why = fmt::format("; {} of {} proposals were accepted at line {}", site->accepted,
                      site->proposals, site->line);
  list.push_back(
      {Weight::Grave, "",
       fmt::format("{} never changed in {} draws{}{}", worst->label(), summary.draws, others, why),
       report::remedy(summary, statistics, worst)});
}

void advise_on_evidence(std::vector<Advice>& list, const Summary& summary,
                        const RunStatistics& statistics) {
  const std::string doubt = report::evidence_doubt(summary, statistics);
  if (doubt.empty()) return;
  list.push_back({Weight::Doubt, "", "the log evidence is unreliable: " + doubt,
                  statistics.evidence_parts == 2
                      ? "take more sweeps (-n) or chains (--chains)"
                      : "give more particles (--particles), so that sweeps agree; more sweeps (-n) "
                        "help slowly"});
}

// Where chains disagree, and whether that is a matter of places or of names.
void advise_on_places(std::vector<Advice>& list, const Summary& summary,
                      const RunStatistics& statistics) {
  if (const auto apart = report::chains_apart(statistics)) {
    list.push_back({Weight::Grave, "", report::apart_text(*apart, summary, statistics),
                    report::remedy(summary, statistics, nullptr)});
    return;
  }
  if (!report::orders_differ(summary, statistics)) return;
  const ExchangedLabels& found = *summary.exchanged;
  const std::string r_hat = report::r_hat_text(found.r_hat);
  list.push_back({Weight::Grave, "",
                  found.discrete
                      ? fmt::format("the chains number {} differently: R_hat is {}, but they agree "
                                    "which of them are equal",
                                    found.labels, r_hat)
                      : fmt::format("the chains have {} in different orders: R_hat is {}, of the "
                                    "sorted values {}",
                                    found.labels, r_hat, report::r_hat_text(found.unordered)),
                  report::remedy(summary, statistics, nullptr)});
}

void advise_on_chains(std::vector<Advice>& list, const Summary& summary,
                      const RunStatistics& statistics) {
  constexpr double kBound = 1.01;
  const Estimate* worst = nullptr;
  std::size_t bad = 0;
  for (const Estimate& row : summary.estimates) {
    if (!(row.r_hat > kBound)) continue;
    ++bad;
    if (worst == nullptr || row.r_hat > worst->r_hat) worst = &row;
  }
  if (worst == nullptr) return;
  const std::string others = bad > 1 ? fmt::format(" ({} labels)", bad) : "";
  const bool grave = worst->r_hat > 1.1;
  const std::string longer = statistics.warmup > 0
                                 ? "run longer (-n, --ess) after more warm-up (--warmup)"
                                 : "run longer (-n) and leave out the start (-b)";
  list.push_back({grave ? Weight::Grave : Weight::Doubt, "",
                  fmt::format("R_hat of {} is {}: parts of the run disagree{}", worst->label(),
                              report::r_hat_text(worst->r_hat), others),
                  grave                ? report::remedy(summary, statistics, worst)
                  : summary.chains < 2 ? longer + ", or compare several chains (--chains 4)"
                                       : longer});
}

// Runs that end by a rule: of weighted sweeps a few carry the answer, and their errors are not known.
void advise_on_sweeps(std::vector<Advice>& list, const Summary& summary,
                      const RunStatistics& statistics) {
  constexpr double kFew = 20, kVeryFew = 6;
  if (!summary.weighted || summary.draws == 0 || summary.sweeps >= summary.draws ||
      summary.sweeps < 2 || statistics.stopped.empty())
    return;
  const double sweeps =
      summary.weight_ess * static_cast<double>(summary.sweeps) / static_cast<double>(summary.draws);
  if (sweeps >= kFew) return;
  list.push_back({sweeps < kVeryFew ? Weight::Grave : Weight::Doubt, "",
                  fmt::format("the weights of {} sweeps are uneven: they count as {:.1f}",
                              summary.sweeps, sweeps),
                  "give more particles (--particles), or more time (--timeout)"});
}

// What the chains may have missed: see infer/structure_visits.hpp.
void advise_on_structures(std::vector<Advice>& list, const RunStatistics& statistics) {
  if (statistics.longest_stay == 0) return;
  constexpr std::uint64_t kFewVisits = 5;
  constexpr double kMuch = 0.01;
  const double share = std::fmin(1, 3 * static_cast<double>(statistics.longest_stay) /
                                        static_cast<double>(statistics.stay_steps));
  const std::uint64_t visits = statistics.stay_visits;
  list.push_back({visits < kFewVisits && share > kMuch ? Weight::Grave : Weight::Doubt, "",
                  fmt::format("a chain stayed for {} steps with other draws, or other discrete "
                              "ones equal, and the chains came "
                              "back to that {}: its probability may be up to {:.2g}",
                              statistics.longest_stay,
                              visits == 0   ? "never"
                              : visits == 1 ? "once"
                                            : fmt::format("{} times", visits),
                              share),
                  report::structure_remedy(statistics)});
}

void advise_on_size(std::vector<Advice>& list, const Summary& summary,
                    const RunStatistics& statistics) {
  // Below, the size itself is too uncertain to extrapolate from, or the run would be too long.
  constexpr double kEnough = 50, kLongest = 10;
  const double bound = 100.0 * std::max(1u, summary.chains);
  const Estimate* worst = nullptr;
  std::size_t bad = 0;
  for (const Estimate& row : summary.estimates) {
    const double size = std::fmin(row.ess_bulk, row.ess_tail);
    if (!(size < bound)) continue;
    ++bad;
    if (worst == nullptr || size < std::fmin(worst->ess_bulk, worst->ess_tail)) worst = &row;
  }
  if (worst == nullptr) return;
  const double size = std::fmin(worst->ess_bulk, worst->ess_tail);
  const std::string others =
      bad > 1 ? fmt::format(" ({} labels are below {:.0f})", bad, bound) : "";
  list.push_back(
      {size < 10 ? Weight::Grave : Weight::Doubt, "",
       fmt::format("{} has an effective sample size of {:.0f}{}", worst->label(), size, others),
       size < kEnough || bound > kLongest * size
           ? report::remedy(summary, statistics, worst)
           : fmt::format("run longer (-n): about {:.0f} times as long for {:.0f} effective draws",
                         std::ceil(bound / size), bound)});
}

// A few happen where a density is merely steep. Many mean that the step is too long somewhere, and
// what lies there is not visited.
void advise_on_divergences(std::vector<Advice>& list, const Summary& summary,
                           const RunStatistics& statistics) {
  constexpr double kSome = 0.01, kMost = 0.2;
  if (summary.draws == 0) return;
  const double share =
      static_cast<double>(statistics.divergences) / static_cast<double>(summary.draws);
  if (share <= kSome) return;
  const DivergencePlace* place = report::gathering_place(statistics);
  const std::string smaller = "make the step smaller (-o ':target-acceptance 0.95')";
  const bool at_large = place && place->ordered && place->shift > 0;
  const std::string cause = report::remedy_of_cause(summary, statistics, nullptr);
  list.push_back(
      {share > kMost ? Weight::Grave : Weight::Doubt, "",
       fmt::format("{} of {} moves diverged{}: parts of the posterior that are too steep "
                   "for their step may be missing",
                   statistics.divergences, summary.draws,
                   place ? ", mostly at " + report::place_text(*place) : ""),
       at_large ? smaller + ", give that draw a prior that keeps it smaller, or, where the program "
                            "solves an equation step by step, take shorter steps"
       : cause.empty() || !report::funnel_scale(statistics).empty()
           ? report::non_centred(report::funnel_scale(statistics)) + "; or " + smaller
           : cause});
}

void advise_on_enumeration(std::vector<Advice>& list, const RunStatistics& statistics) {
  constexpr double kLittle = 1e-6, kMuch = 0.01;
  if (!statistics.left_out || *statistics.left_out < kLittle) return;
  list.push_back(
      {*statistics.left_out > kMuch ? Weight::Grave : Weight::Doubt, "",
       fmt::format("executions of prior probability {:.3g} were left out, however likely "
                   "they make the observations",
                   *statistics.left_out),
       "-n 0 takes all, where they are finitely many; -o ':mass 0.999' stops there"});
}

void advise_on_moves(std::vector<Advice>& list, const Summary& summary,
                     const RunStatistics& statistics) {
  constexpr std::uint64_t kEnough = 100;  // proposals
  constexpr double kLow = 0.01;
  const auto is_low = [&](std::uint64_t accepted, std::uint64_t proposals) {
    return proposals >= kEnough &&
           static_cast<double>(accepted) < kLow * static_cast<double>(proposals);
  };
  const SiteAcceptance* worst = report::worst_site(statistics);
  const bool at_site = worst != nullptr && is_low(worst->accepted, worst->proposals);
  if (!at_site && !is_low(statistics.accepted, statistics.proposals)) return;
  const std::uint64_t accepted = at_site ? worst->accepted : statistics.accepted;
  const std::uint64_t proposals = at_site ? worst->proposals : statistics.proposals;
  list.push_back({accepted == 0 ? Weight::Grave : Weight::Doubt, "",
                  fmt::format("only {} of {} proposals were accepted{}", accepted, proposals,
                              at_site ? fmt::format(" at the sample of line {}", worst->line) : ""),
                  report::remedy(summary, statistics, nullptr)});
}

// pmmh: a chain on an estimated likelihood waits for lucky estimates where they vary much.
void advise_on_likelihood(std::vector<Advice>& list, const RunStatistics& statistics) {
  constexpr double kMuch = 4;  // variance; chains are fastest between 1 and 3
  const bool enough = std::all_of(list.begin(), list.end(),
                                  [](const Advice& a) { return a.weight == Weight::Note; });
  if (enough || statistics.suggested_particles == 0 || statistics.likelihood_variance < kMuch)
    return;
  list.push_back(
      {Weight::Doubt, "",
       fmt::format("the log-likelihood of a sweep has variance {:.3g}: the particles are "
                   "too few",
                   statistics.likelihood_variance),
       fmt::format("give more particles (--particles {})", statistics.suggested_particles)});
}

// The energy changes too little from draw to draw to cover its spread.
void advise_on_energy(std::vector<Advice>& list, const Summary& summary) {
  constexpr double kLow = 0.2;
  constexpr std::uint64_t kEnough = 100;  // draws of a chain
  if (!(summary.energy_fraction < kLow) || summary.draws < kEnough * summary.chains) return;
  const bool enough = std::all_of(list.begin(), list.end(),
                                  [](const Advice& a) { return a.weight == Weight::Note; });
  list.push_back(
      {enough ? Weight::Note : Weight::Doubt, "",
       fmt::format("the energy changes little from draw to draw (E-BFMI {:.2f}): the "
                   "tails of the posterior are visited seldom",
                   summary.energy_fraction),
       "give priors with lighter tails, or draw the effects of a hierarchy in non-centred "
       "form: (normal 0 1), then scale and shift"});
}

// Trajectories of nuts that were cut: a matter of speed, as long as the draws suffice.
void advise_on_depth(std::vector<Advice>& list, const Summary& summary,
                     const RunStatistics& statistics) {
  constexpr double kMany = 0.1;
  if (static_cast<double>(statistics.saturated) <=
      kMany * static_cast<double>(statistics.proposals))
    return;
  const bool enough = std::all_of(list.begin(), list.end(),
                                  [](const Advice& a) { return a.weight == Weight::Note; });
  const std::string cause = report::remedy_of_cause(summary, statistics, nullptr);
  list.push_back({enough ? Weight::Note : Weight::Doubt, "",
                  fmt::format("{} of {} trajectories were cut at :max-depth: the steps are short "
                              "for the width of the posterior",
                              statistics.saturated, statistics.proposals),
                  cause.empty()
                      ? "give the draws similar scales, use :metric :dense, or raise :max-depth"
                      : cause});
}

}  // namespace

std::vector<Advice> advise(const Summary& summary, const RunStatistics& statistics) {
  std::vector<Advice> list;
  advise_on_messages(list, statistics);
  if (!summary.enumerated) {
    advise_on_weights(list, summary, statistics);
    advise_on_evidence(list, summary, statistics);
  }
  advise_on_length(list, summary, statistics);
  advise_on_observes(list, statistics);
  advise_on_constants(list, summary, statistics);
  advise_on_places(list, summary, statistics);
  advise_on_chains(list, summary, statistics);
  advise_on_sweeps(list, summary, statistics);
  advise_on_structures(list, statistics);
  advise_on_size(list, summary, statistics);
  advise_on_divergences(list, summary, statistics);
  advise_on_moves(list, summary, statistics);
  advise_on_likelihood(list, statistics);
  advise_on_depth(list, summary, statistics);
  advise_on_energy(list, summary);
  advise_on_enumeration(list, statistics);
  if (summary.draws > 0 && summary.estimates.empty()) {
    list.push_back({Weight::Note, "", "the query predicts nothing",
                    "name what you want to know: (predict :x x)"});
  }
  // The library may have seen the same trouble while it ran: one sentence about it is enough.
  const auto first =
      std::find_if(list.begin(), list.end(), [](const Advice& a) { return a.code == "I007"; });
  if (first != list.end()) {
    list.erase(
        std::remove_if(first + 1, list.end(), [](const Advice& a) { return a.code == "I007"; }),
        list.end());
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const Advice& a, const Advice& b) { return a.weight < b.weight; });
  return list;
}

}  // namespace chancel
