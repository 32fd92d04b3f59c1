// SPDX-License-Identifier: Apache-2.0
// Leave-one-out estimates as text and JSON: see chancel/loo.hpp.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "chancel/loo.hpp"
#include "report/text_table.hpp"

namespace chancel {

using namespace report;
using Json = nlohmann::ordered_json;

namespace {

struct ShapeClass {
  double above, to;
  const char* name;
  const char* verdict;
};
constexpr ShapeClass kShapeClasses[] = {{-INFINITY, 0.5, "(-inf, 0.5]", "good"},
                                        {0.5, 0.7, "(0.5, 0.7]", "ok"},
                                        {0.7, 1, "(0.7, 1]", "bad"},
                                        {1, INFINITY, "(1, inf)", "very bad"}};
constexpr std::size_t kMostNamed = 10;
constexpr double kLargestWaicTerm = 0.4;

std::string tenths(double x) { return fmt::format("{:.1f}", x); }

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

std::size_t count_of(const Loo& loo, const ShapeClass& c) {
  std::size_t count = 0;
  for (const LooTerm& t : loo.terms)
    count += t.pareto_k <= c.to && (t.pareto_k > c.above || c.above == -INFINITY);
  return count;
}

constexpr std::size_t kFewestDraws = 20;

std::string few_draws(const Loo& loo) {
  return loo.draws < kFewestDraws
             ? fmt::format("\ndo not trust this: {} draws can say nothing about a posterior\n",
                           loo.draws)
             : "";
}

std::string warnings(const Loo& loo) {
  std::string out = few_draws(loo);
  if (const std::size_t bad = loo.untrusted(); bad > 0) {
    out += fmt::format(
        "\nwarning: {} of {} Pareto k above 0.7: elpd_loo cannot be trusted. These observes "
        "tell the model\nmuch that the others do not (an outlier, or a parameter of their own):\n",
        bad, loo.terms.size());
    std::size_t named = 0;
    for (std::size_t i = 0; i < loo.terms.size() && named < kMostNamed; ++i)
      if (const LooTerm& t = loo.terms[i]; t.pareto_k > kShapeClasses[1].to) {
        out += fmt::format("  log_lik[{}] (line {}): k {:.2f}\n", i, t.line, t.pareto_k);
        ++named;
      }
    if (bad > named) out += fmt::format("  and {} more\n", bad - named);
  }
  std::size_t large = 0;
  for (const LooTerm& t : loo.terms) large += t.p_waic > kLargestWaicTerm;
  if (large > 0)
    out += fmt::format("\nwarning: {} of {} p_waic above 0.4: take elpd_loo rather than waic\n",
                       large, loo.terms.size());
  return out;
}

std::array<std::pair<const char*, LooEstimate>, 6> estimates_of(const Loo& loo) {
  return {{{"elpd_loo", loo.elpd_loo},
           {"p_loo", loo.p_loo},
           {"looic", loo.looic},
           {"elpd_waic", loo.elpd_waic},
           {"p_waic", loo.p_waic},
           {"waic", loo.waic}}};
}

}  // namespace

std::string loo_table(const Loo& loo, bool colour) {
  std::string out = fmt::format("{} observes, {} draws of {} chain{}\n\n", loo.terms.size(),
                                loo.draws, loo.chains, loo.chains == 1 ? "" : "s");
  TextTable estimates;
  estimates.add_row({"", "estimate", "SE"});
  for (const auto& [name, e] : estimates_of(loo))
    estimates.add_row({name, tenths(e.value), tenths(e.se)});
  out += estimates.text(colour) + "\n";
  TextTable shapes;
  shapes.add_row({"Pareto k", "", "count", "share"});
  for (const ShapeClass& c : kShapeClasses) {
    const std::size_t count = count_of(loo, c);
    const double share = 100 * static_cast<double>(count) / static_cast<double>(loo.terms.size());
    shapes.add_row({c.name, c.verdict, fmt::format("{}", count), fmt::format("{:.1f} %", share)});
  }
  return out + shapes.text(colour) + warnings(loo);
}

std::string loo_json(const Loo& loo) {
  Json out = {{"draws", loo.draws}, {"chains", loo.chains}};
  for (const auto& [name, e] : estimates_of(loo))
    out[name] = {{"estimate", number(e.value)}, {"se", number(e.se)}};
  out["pointwise"] = Json::array();
  for (const LooTerm& t : loo.terms)
    out["pointwise"].push_back({{"line", t.line},
                                {"elpd_loo", number(t.elpd)},
                                {"p_loo", number(t.p)},
                                {"pareto_k", number(t.pareto_k)},
                                {"elpd_waic", number(t.elpd_waic)},
                                {"p_waic", number(t.p_waic)}});
  out["warnings"] = Json::array();
  if (loo.draws < kFewestDraws)
    out["warnings"].push_back(
        {{"weight", "grave"},
         {"message", fmt::format("{} draws can say nothing about a posterior", loo.draws)}});
  return out.dump(2) + "\n";
}

std::string comparison_table(const std::vector<LooComparison>& runs, bool colour) {
  TextTable table;
  table.add_row({"", "elpd_diff", "se_diff", "elpd_loo", "se", "p_loo", "k > 0.7"});
  for (const LooComparison& c : runs)
    table.add_row({c.name, tenths(c.difference.value), tenths(c.difference.se),
                   tenths(c.loo.elpd_loo.value), tenths(c.loo.elpd_loo.se),
                   tenths(c.loo.p_loo.value), fmt::format("{}", c.loo.untrusted())});
  std::string out = table.text(colour);
  for (const LooComparison& c : runs) {
    if (const std::string doubt = few_draws(c.loo); !doubt.empty())
      out += fmt::format("\n{}:{}", c.name, doubt);
    if (const std::size_t bad = c.loo.untrusted(); bad > 0)
      out += fmt::format(
          "\nwarning: {}: {} of {} Pareto k above 0.7, so its elpd_loo cannot be trusted\n", c.name,
          bad, c.loo.terms.size());
  }
  return out;
}

}  // namespace chancel
