// SPDX-License-Identifier: Apache-2.0
#include "page/energy_chart.hpp"

#include <nlohmann/json.hpp>

#include "page/histogram.hpp"
#include "report/energy.hpp"

namespace chancel::page {
namespace {
constexpr std::size_t kEvery = 4;  // of the points of a density
}

Json energy_chart(const report::Chains& energies) {
  std::vector<double> marginal, transition, fractions;
  for (const auto& chain : energies) {
    double mean = 0;
    for (const double e : chain) mean += e / static_cast<double>(chain.size());
    for (std::size_t i = 0; i < chain.size(); ++i) {
      marginal.push_back(chain[i] - mean);
      if (i > 0) transition.push_back(chain[i] - chain[i - 1]);
    }
    fractions.push_back(report::energy_fraction(chain));
  }
  const auto curve = [](const std::vector<double>& x) {
    const Curve all = density(x, {});
    Curve out;
    for (std::size_t i = 0; i < all.x.size(); i += kEvery) {
      out.x.push_back(all.x[i]);
      out.y.push_back(all.y[i]);
    }
    return Json{{"x", json_numbers(out.x)}, {"y", json_numbers(out.y)}};
  };
  Json out{{"marginal", curve(marginal)},
           {"transition", curve(transition)},
           {"fractions", json_numbers(fractions)}};
  if (out["marginal"]["x"].empty() || out["transition"]["x"].empty()) return nullptr;
  return out;
}

}  // namespace chancel::page
