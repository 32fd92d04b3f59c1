// SPDX-License-Identifier: Apache-2.0
// What a draw says beside its predicts: its log joint density, and the move that led to it. One list
// for all writers and readers, with the names of CmdStan and of ArviZ. A run has the columns that its
// first draw has.
#pragma once
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "chancel/chancel.hpp"

namespace chancel::report {

struct SamplerColumn {
  const char* name;   // of CmdStan, and of draws.csv
  const char* arviz;  // in the group sample_stats
  bool integer;
  double (*get)(const Draw& draw);  // NaN: it has none
  void (*set)(Draw& draw, double value);
};

namespace sampler_columns {

template <auto Member>
double get(const Draw& draw) {
  return draw.move ? static_cast<double>((*draw.move).*Member)
                   : std::numeric_limits<double>::quiet_NaN();
}
template <auto Member>
void set(Draw& draw, double value) {
  if (!draw.move) draw.move.emplace();
  auto& member = (*draw.move).*Member;
  using Number = std::remove_reference_t<decltype(member)>;
  if constexpr (std::is_integral_v<Number> && !std::is_same_v<Number, bool>) {
    const double most = std::ldexp(1.0, std::numeric_limits<Number>::digits);
    member = value >= 0 && value < most ? static_cast<Number>(value) : 0;
  } else {
    member = static_cast<Number>(value);
  }
}
template <auto Member>
constexpr SamplerColumn of(const char* name, const char* arviz, bool integer) {
  return {name, arviz, integer, get<Member>, set<Member>};
}

}  // namespace sampler_columns

inline constexpr std::array<SamplerColumn, 7> kSamplerColumns = {
    SamplerColumn{"lp__", "lp", false, [](const Draw& d) { return d.log_joint; },
                  [](Draw& d, double x) { d.log_joint = x; }},
    sampler_columns::of<&GradientMove::acceptance>("accept_stat__", "acceptance_rate", false),
    sampler_columns::of<&GradientMove::step_size>("stepsize__", "step_size", false),
    sampler_columns::of<&GradientMove::depth>("treedepth__", "tree_depth", true),
    sampler_columns::of<&GradientMove::steps>("n_leapfrog__", "n_steps", true),
    sampler_columns::of<&GradientMove::divergent>("divergent__", "diverging", true),
    sampler_columns::of<&GradientMove::energy>("energy__", "energy", false)};

using SamplerColumns = std::vector<const SamplerColumn*>;
inline SamplerColumns sampler_columns_of(const Draw& draw) {
  SamplerColumns out;
  for (const SamplerColumn& c : kSamplerColumns)
    if (!std::isnan(c.get(draw))) out.push_back(&c);
  return out;
}
inline const SamplerColumn* find_sampler_column(std::string_view name) {
  for (const SamplerColumn& c : kSamplerColumns)
    if (name == c.name) return &c;
  return nullptr;
}

}  // namespace chancel::report
