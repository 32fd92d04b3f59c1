// SPDX-License-Identifier: Apache-2.0
// See exchange.hpp.
#include "report/exchange.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/convergence.hpp"
#include "report/predictive.hpp"

namespace chancel::report {
namespace {

constexpr double kDisagree = 1.1, kAgree = 1.05;
// What remains of the excess of R-hat over 1 once the order does not count.
constexpr double kLeft = 0.25;
constexpr std::size_t kMostParts = 50;   // of one value
constexpr std::size_t kMostScalars = 6;  // tried in pairs
constexpr std::size_t kMostNumbers = std::size_t{1} << 23;

struct Part {
  const Column* column;
  const Estimate* row;
};
using Parts = std::vector<Part>;

double worst_r_hat(const Parts& parts) {
  double worst = 0;
  for (const Part& part : parts)
    if (part.row->r_hat > worst) worst = part.row->r_hat;
  return worst;
}

std::vector<Chains> values_of(const Parts& parts, const DrawFrame& frame) {
  std::vector<Chains> out;
  for (const Part& part : parts) {
    Chains storage;
    Chains values = present_draws(*part.column, frame).values;
    const Chains& cut = even(values, storage);
    out.push_back(&cut == &values ? std::move(values) : std::move(storage));
  }
  return out;
}

// The largest R-hat of values that do not depend on the order of the parts; constants agree. NaN: all
// are constants.
struct Agreement {
  double r_hat = std::numeric_limits<double>::quiet_NaN();
  void add(const Chains& chains) { r_hat = std::fmax(r_hat, report::r_hat(chains)); }
  bool holds(double worst) const {
    return std::isnan(r_hat) || (r_hat < kAgree && r_hat - 1 < kLeft * (worst - 1));
  }
};

Agreement of_sorted(std::vector<Chains> values) {
  std::vector<double> draw(values.size());
  for (std::size_t c = 0; c < values.front().size(); ++c)
    for (std::size_t i = 0; i < values.front()[c].size(); ++i) {
      for (std::size_t k = 0; k < values.size(); ++k) draw[k] = values[k][c][i];
      std::sort(draw.begin(), draw.end());
      for (std::size_t k = 0; k < values.size(); ++k) values[k][c][i] = draw[k];
    }
  Agreement out;
  for (const Chains& chains : values) out.add(chains);
  return out;
}

// Each part against the one before it: equal, or not.
Agreement of_equalities(const std::vector<Chains>& values) {
  Agreement out;
  for (std::size_t k = 1; k < values.size(); ++k) {
    Chains equal = values[k];
    for (std::size_t c = 0; c < equal.size(); ++c)
      for (std::size_t i = 0; i < equal[c].size(); ++i)
        equal[c][i] = values[k][c][i] == values[k - 1][c][i] ? 1 : 0;
    out.add(equal);
  }
  return out;
}

std::optional<ExchangedLabels> try_parts(const Parts& parts, const std::string& name,
                                         const DrawFrame& frame) {
  if (parts.size() < 2 || parts.size() > kMostParts ||
      parts.size() * frame.log_weights.size() > kMostNumbers)
    return std::nullopt;
  const double worst = worst_r_hat(parts);
  const auto is = [&](Estimate::Kind kind) {
    return std::all_of(parts.begin(), parts.end(), [&](const Part& p) {
      return p.row->kind == kind && !p.column->has_missing() && !p.column->is_dictionary();
    });
  };
  const bool discrete = is(Estimate::Kind::Discrete);
  if (!(worst > kDisagree) || !(discrete || is(Estimate::Kind::Real))) return std::nullopt;
  // Equal numbers at two places mean little; of discrete values there must be several pairs.
  if (discrete && parts.size() < 3) return std::nullopt;
  const std::vector<Chains> values = values_of(parts, frame);
  const Agreement agreement = discrete ? of_equalities(values) : of_sorted(values);
  if (!agreement.holds(worst)) return std::nullopt;
  return ExchangedLabels{name, worst, agreement.r_hat, discrete};
}

}  // namespace

std::optional<ExchangedLabels> exchanged_labels(const DrawColumns& draws,
                                                const std::vector<Estimate>& rows,
                                                const RunStatistics& statistics) {
  if (!draws.frame.weights.empty() || draws.frame.enumerated) return std::nullopt;
  Parts scalars;
  std::size_t number = 0;
  for (const DrawColumns::Label& label : draws.labels) {
    Parts parts;
    std::string name;
    label.shape.visit([&](const std::string&, const Column& column, bool) {
      const Estimate& row = rows[number++];
      name = row.predict;
      if (!is_predictive(row.label(), statistics)) parts.push_back({&column, &row});
    });
    if (parts.size() == 1 && parts.front().row->r_hat > kDisagree) scalars.push_back(parts.front());
    if (const auto found = try_parts(parts, name, draws.frame)) return found;
  }
  if (scalars.size() > kMostScalars) return std::nullopt;
  for (std::size_t i = 0; i < scalars.size(); ++i)
    for (std::size_t j = i + 1; j < scalars.size(); ++j)
      if (const auto found =
              try_parts({scalars[i], scalars[j]},
                        scalars[i].row->label() + " and " + scalars[j].row->label(), draws.frame))
        return found;
  return std::nullopt;
}

}  // namespace chancel::report
