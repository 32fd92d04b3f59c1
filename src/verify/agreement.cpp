// SPDX-License-Identifier: Apache-2.0
// Do engines agree on the program's own data? Means of every number that is predicted, in standard
// errors of their difference; the largest of them all is judged (Bonferroni).
#include <algorithm>
#include <cmath>
#include <map>

#include "chancel/summary.hpp"
#include "chancel/verify.hpp"
#include "math/normal.hpp"

namespace chancel {

Agreement agree(Model& model, const std::string& query, const InferOptions& options,
                const std::vector<std::string>& engines, double false_alarm) {
  std::vector<std::map<std::string, Estimate>> found;
  for (const std::string& engine : engines) {
    InferOptions one = options;
    one.algorithm = engine;
    if (engine != options.algorithm) one.engine_options.clear();
    Inference run = model.infer(query, one);
    SummaryBuilder builder;
    while (const Draw* draw = run.next()) builder.add(*draw);
    std::map<std::string, Estimate>& by_label = found.emplace_back();
    for (const Estimate& e : builder.summary().estimates)
      if (e.numeric) by_label[e.label()] = e;
  }
  Agreement out;
  for (std::size_t a = 0; a < engines.size(); ++a)
    for (std::size_t b = a + 1; b < engines.size(); ++b)
      for (const auto& [label, first] : found[a]) {
        const auto second = found[b].find(label);
        if (second == found[b].end()) continue;
        const double error = std::hypot(first.mcse, second->second.mcse);
        if (!(error > 0)) continue;
        out.pairs.push_back({label, engines[a], engines[b], first.mean, second->second.mean,
                             std::fabs(first.mean - second->second.mean) / error});
      }
  std::stable_sort(
      out.pairs.begin(), out.pairs.end(),
      [](const Disagreement& a, const Disagreement& b) { return a.errors > b.errors; });
  const auto pairs = static_cast<double>(std::max<std::size_t>(1, out.pairs.size()));
  out.most_errors = -normal_quantile(false_alarm / pairs / 2);
  out.passed = out.pairs.empty() || out.pairs.front().errors <= out.most_errors;
  return out;
}

}  // namespace chancel
