// SPDX-License-Identifier: Apache-2.0
#include "page/sweep_charts.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace chancel::page {
namespace {
constexpr std::size_t kMaxPoints = 600;       // of a series; more are taken together
constexpr std::size_t kMaxGenerations = 100;  // drawn
}  // namespace

Json ess_chart(const Barriers& barriers, double particles) {
  if (barriers.by_place.empty()) return nullptr;
  Json out{{"particles", json_number(particles)}, {"series", Json::array()}};
  for (auto at = barriers.by_place.begin(); at != barriers.by_place.end();) {
    const std::size_t line = at->first.first;
    auto end = at;
    std::size_t points = 0;
    for (; end != barriers.by_place.end() && end->first.first == line; ++end) ++points;
    const std::size_t together = (points + kMaxPoints - 1) / kMaxPoints;
    std::vector<double> x, mean, least, most;
    while (at != end) {
      const auto number = static_cast<double>(at->first.second);
      BarrierStatistics sum = at->second;
      ++at;
      for (std::size_t k = 1; k < together && at != end; ++k, ++at) {
        sum.ess_sum += at->second.ess_sum;
        sum.count += at->second.count;
        sum.ess_least = std::min(sum.ess_least, at->second.ess_least);
        sum.ess_most = std::max(sum.ess_most, at->second.ess_most);
      }
      if (sum.count == 0) continue;
      x.push_back(number + 1);
      mean.push_back(sum.mean_ess());
      least.push_back(sum.ess_least);
      most.push_back(sum.ess_most);
    }
    out["series"].push_back({{"line", line},
                             {"x", json_numbers(x)},
                             {"mean", json_numbers(mean)},
                             {"least", json_numbers(least)},
                             {"most", json_numbers(most)}});
  }
  return out;
}

Json ancestry_chart(std::uint64_t chain, std::uint64_t sweep,
                    const std::vector<Descent>& descents) {
  using Parents = std::map<std::uint64_t, std::uint64_t>;  // particle -> ancestor
  std::vector<Parents> generations;
  Json lines = Json::array();
  std::uint64_t barrier = ~std::uint64_t{0};
  for (const Descent& d : descents) {
    if (generations.empty() || d.barrier != barrier) {
      generations.emplace_back();
      lines.push_back(d.line);
    }
    barrier = d.barrier;
    generations.back()[d.particle] = d.ancestor;
  }
  if (generations.empty()) return nullptr;
  // Several generations as one: a particle's ancestor's ancestor.
  const std::size_t together = (generations.size() + kMaxGenerations - 1) / kMaxGenerations;
  std::vector<Parents> shown;
  std::vector<double> number = {0};  // of the observe before each generation drawn
  for (std::size_t g = 0; g < generations.size(); g += together) {
    const std::size_t end = std::min(g + together, generations.size());
    Parents parents = generations[end - 1];
    for (std::size_t k = end - 1; k-- > g;)
      for (auto& [particle, ancestor] : parents) {
        const auto found = generations[k].find(ancestor);
        if (found != generations[k].end()) ancestor = found->second;
      }
    shown.push_back(std::move(parents));
    number.push_back(static_cast<double>(end));
  }
  std::set<std::uint64_t> living;
  for (const auto& [particle, ancestor] : shown.back()) living.insert(particle);
  Json strokes[2] = {{{"x", Json::array()}, {"y", Json::array()}},
                     {{"x", Json::array()}, {"y", Json::array()}}};
  for (std::size_t g = shown.size(); g-- > 0;) {
    std::set<std::uint64_t> parents;
    for (const auto& [particle, ancestor] : shown[g]) {
      const bool alive = living.contains(particle);
      if (alive) parents.insert(ancestor);
      Json& stroke = strokes[alive ? 0 : 1];
      for (const double x : {number[g], number[g + 1]}) stroke["x"].push_back(json_number(x));
      stroke["y"].push_back(ancestor);
      stroke["y"].push_back(particle);
      stroke["x"].push_back(nullptr);
      stroke["y"].push_back(nullptr);
    }
    living = std::move(parents);
  }
  return {{"chain", chain},    {"sweep", sweep},         {"generations", generations.size()},
          {"lines", lines},    {"roots", living.size()}, {"alive", strokes[0]},
          {"dead", strokes[1]}};
}

}  // namespace chancel::page
