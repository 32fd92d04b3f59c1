// SPDX-License-Identifier: Apache-2.0
// See remedy.hpp.
#include "report/remedy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/divergence_text.hpp"
#include "report/text_table.hpp"

namespace chancel::report {
namespace {

constexpr std::uint64_t kShortWarmup = 150;  // steps of a chain that tunes a metric

double middle(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::string joined(const std::vector<std::string>& parts, const char* between = "; ") {
  std::string out;
  for (const std::string& part : parts)
    if (!part.empty()) out += (out.empty() ? "" : between) + part;
  return out;
}

// Two labels that hardly vary apart.
const Correlation* tight_pair(const Summary& summary) {
  constexpr double kTight = 0.9;
  return summary.strongest && std::fabs(summary.strongest->value) > kTight ? &*summary.strongest
                                                                           : nullptr;
}

std::string pair_remedy(const Correlation& pair) {
  constexpr double kLikeOne = 0.2;  // the slope of a sum or difference, up to this
  const std::string found =
      fmt::format("{} and {} are correlated by {:.3f}: ", pair.first, pair.second, pair.value);
  if (pair.same_label)
    return found +
           "draw the parts of a series or process in non-centred form: standard normals, then "
           "scale "
           "and add them up";
  if (std::fabs(std::fabs(pair.slope) - 1) < kLikeOne)
    return found + fmt::format(
                       "the observations determine little but their {}: give both narrower "
                       "priors, or leave one of them out",
                       pair.slope < 0 ? "sum" : "difference");
  return found + "centre the predictors of a regression (subtract their means)";
}

// Far values are so frequent that they make up most of the standard deviation.
bool has_heavy_tails(const Estimate& row) {
  constexpr double kHeavy = 4;
  return row.kind == Estimate::Kind::Real && row.mad > 0 && row.sd > kHeavy * row.mad;
}

// The row with the fewest effective draws; one that never changed has none.
const Estimate* worst_row(const Summary& summary) {
  const Estimate* worst = nullptr;
  double least = 0;
  for (const Estimate& row : summary.estimates) {
    const double size = row.never_changed() ? 0 : std::fmin(row.ess_bulk, row.ess_tail);
    if (std::isnan(size) || (worst && size >= least)) continue;
    worst = &row;
    least = size;
  }
  return worst;
}

bool of_particles(const RunStatistics& statistics) {
  return statistics.family == "particle-chain" || statistics.family == "particles";
}
bool of_weights(const RunStatistics& statistics) { return statistics.family == "independent"; }

std::string discrete_remedy(const RunStatistics& statistics) {
  if (of_particles(statistics) || of_weights(statistics))
    return joined(
        {of_weights(statistics) ? "give more draws (-n)" : "give more particles (--particles)",
         another_engine(statistics, {"list"})},
        ", or ");
  return joined({"discrete draws move one at a time: sum them out where a distribution does "
                 "((mixture weights components))",
                 another_engine(statistics, {"list", "particle-chain"})},
                ", or ");
}

// By the way the engine works, where nothing shows a cause.
std::string usual_remedy(const RunStatistics& statistics, const Estimate* worst) {
  const bool of_a_vector = worst && !worst->path.empty();
  if (statistics.family == "gradient")
    return joined({"give more warm-up (--warmup 2000)",
                   of_a_vector ? "draw the parts of a series or process in non-centred form: "
                                 "standard normals, then scale and add them up"
                   : statistics.continuous_draws > 1 ? non_centred("")
                                                     : ""});
  if (of_particles(statistics) || of_weights(statistics))
    return joined(
        {of_weights(statistics) ? "give more draws (-n)"
                                : "give more particles (--particles) and take more sweeps (-n)",
         another_engine(statistics, {"list", "gradient"})},
        ", or ");
  std::string form;
  if (!of_a_vector && statistics.continuous_draws > 1)
    form = "centre the predictors of a regression (subtract their means), and " + non_centred("");
  return joined({form.empty() ? "run longer (-n), and leave out the start (-b)" : form,
                 another_engine(statistics, {"list", "gradient", "particle-chain"})},
                "; or ");
}

}  // namespace

std::optional<ApartChains> chains_apart(const RunStatistics& statistics) {
  constexpr std::uint64_t kEnough = 20;       // draws
  constexpr double kSpreads = 2, kLeast = 3;  // of the gap: standard deviations, and itself
  const std::vector<ChainDensity>& chains = statistics.chain_densities;
  if (chains.size() < 2) return std::nullopt;
  std::vector<std::size_t> order(chains.size());
  for (std::size_t i = 0; i < chains.size(); ++i) {
    if (chains[i].draws < kEnough || !std::isfinite(chains[i].mean)) return std::nullopt;
    order[i] = i;
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return chains[a].mean < chains[b].mean; });
  std::size_t split = 1;
  for (std::size_t i = 1; i < order.size(); ++i)
    if (chains[order[i]].mean - chains[order[i - 1]].mean >
        chains[order[split]].mean - chains[order[split - 1]].mean)
      split = i;
  const auto part = [&](std::size_t from, std::size_t to, double ChainDensity::*member) {
    std::vector<double> values;
    for (std::size_t i = from; i < to; ++i) values.push_back(chains[order[i]].*member);
    return middle(values);
  };
  ApartChains out{{order.begin(), order.begin() + static_cast<std::ptrdiff_t>(split)},
                  part(0, split, &ChainDensity::mean),
                  part(0, split, &ChainDensity::sd),
                  part(split, order.size(), &ChainDensity::mean),
                  part(split, order.size(), &ChainDensity::sd)};
  const double gap = chains[order[split]].mean - chains[order[split - 1]].mean;
  if (!(gap > kLeast && gap > kSpreads * std::fmax(out.low_sd, out.high_sd))) return std::nullopt;
  std::sort(out.low.begin(), out.low.end());
  return out;
}

std::string apart_text(const ApartChains& apart, const Summary& summary,
                       const RunStatistics& statistics) {
  constexpr std::size_t kNamed = 8;
  std::string names;
  for (std::size_t i = 0; i < apart.low.size() && i < kNamed; ++i)
    names +=
        fmt::format("{}{}", i == 0 ? "" : ", ", statistics.chain_densities[apart.low[i]].chain);
  if (apart.low.size() > kNamed) names += ", ...";
  const bool one = apart.low.size() == 1;
  std::string out = fmt::format(
      "chain{} {} of {} {} where the log density is {:.4g} ± {:.2g}, the others where it is {:.4g} "
      "± {:.2g}",
      one ? "" : "s", names, statistics.chain_densities.size(), one ? "stays" : "stay",
      apart.low_mean, apart.low_sd, apart.high_mean, apart.high_sd);
  const Estimate* worst = nullptr;
  for (const Estimate& row : summary.estimates)
    if (row.chain_means.size() == statistics.chain_densities.size() &&
        (!worst || row.r_hat > worst->r_hat))
      worst = &row;
  if (!worst) return out;
  double low = 0, high = 0;
  for (std::size_t c = 0; c < worst->chain_means.size(); ++c) {
    const bool is_low = std::binary_search(apart.low.begin(), apart.low.end(), c);
    (is_low ? low : high) += worst->chain_means[c];
  }
  const std::size_t others = worst->chain_means.size() - apart.low.size();
  return out + fmt::format("; {} is {} there, {} elsewhere", worst->label(),
                           short_number(low / static_cast<double>(apart.low.size())),
                           short_number(high / static_cast<double>(others)));
}

bool orders_differ(const Summary& summary, const RunStatistics& statistics) {
  return summary.exchanged && !chains_apart(statistics);
}

std::string another_engine(const RunStatistics& statistics,
                           std::initializer_list<std::string_view> families) {
  std::string names;
  for (const OtherEngine& engine : statistics.other_engines)
    if (std::find(families.begin(), families.end(), engine.family) != families.end())
      names += fmt::format("{}-a {}", names.empty() ? "" : ", ", engine.name);
  return names.empty() ? "" : "try another engine (" + names + ")";
}

// What has this scale is squeezed where the scale is small: the neck of a funnel.
std::string funnel_scale(const RunStatistics& statistics) {
  const DivergencePlace* place = gathering_place(statistics);
  return place && place->positive && place->shift < 0 ? place->name : "";
}

std::string non_centred(const std::string& scale) {
  return fmt::format("draw {} in non-centred form: (normal 0 1), then scale and shift",
                     scale.empty() ? "the effects of a hierarchy" : "what has the scale " + scale);
}

std::string remedy_of_cause(const Summary& summary, const RunStatistics& statistics,
                            const Estimate* worst) {
  if (!worst) worst = worst_row(summary);
  const bool gradient = statistics.family == "gradient";
  if (gradient && statistics.warmup < kShortWarmup * std::max(1u, summary.chains))
    return "the warm-up is too short to tune the steps: --warmup 1000";
  if (orders_differ(summary, statistics))
    return summary.exchanged->discrete
               ? "groups are numbered in any order: predict what does not depend on the numbers "
                 "(which items are equal); more warm-up does not help"
               : "the model does not say which is which: draw them in order, "
                 "(sample (ordered (normal 0 10) 3)); more warm-up does not help";
  if (gradient && chains_apart(statistics))
    return joined({"compare more chains (--chains 8), narrow the priors that allow both places",
                   another_engine(statistics, {"particles", "list"})},
                  ", or ");
  const bool discrete = worst && worst->kind != Estimate::Kind::Real;
  if (statistics.discrete_draws > 0 && (discrete || statistics.continuous_draws == 0))
    return discrete_remedy(statistics);
  if (const std::string scale = funnel_scale(statistics); !scale.empty()) return non_centred(scale);
  if (const Correlation* pair = tight_pair(summary))
    return joined(
        {pair_remedy(*pair), gradient ? "" : another_engine(statistics, {"list", "gradient"})},
        "; or ");
  if (statistics.improper_draws)
    return "the observations need not determine a draw with an improper prior: give it a proper "
           "one "
           "with light tails, as (normal 0 10)";
  if (worst && has_heavy_tails(*worst) && !statistics.chain_densities.empty())
    return fmt::format(
        "{} has heavy tails: give what it depends on a prior with lighter tails, as "
        "(normal 0 2.5)",
        worst->label());
  return "";
}

std::string structure_remedy(const RunStatistics& statistics) {
  return joined({"run longer (-n, --timeout)",
                 another_engine(statistics, {"list", "particles", "particle-chain"})},
                ", or ");
}

std::string remedy(const Summary& summary, const RunStatistics& statistics, const Estimate* worst) {
  if (!worst) worst = worst_row(summary);
  const std::string known = remedy_of_cause(summary, statistics, worst);
  return known.empty() ? usual_remedy(statistics, worst) : known;
}

}  // namespace chancel::report
