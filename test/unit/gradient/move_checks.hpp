// SPDX-License-Identifier: Apache-2.0
// Does a move leave a density as it is? Many chains start from direct draws of it, move a few times,
// and then are independent draws of it again, so that plain z-tests apply: of each coordinate's mean
// and mean square against fresh draws, of the share below its quantiles, and of pairs of coordinates.
// And do chains from afar arrive? t-tests over independent chains.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "known_densities.hpp"

namespace chancel {

// |z| above this has a probability of 7e-6; a test here makes at most 120 such comparisons, so that one
// with a fresh seed would fail with a probability below 1e-3.
inline constexpr double kLargestZ = 4.5;

// Draws by two ways, one of them direct: functions of them that are compared.
class MomentTable {
 public:
  explicit MomentTable(const KnownDensity& density) : density_(density) {
    Stream stream({20201}, 0, 0);
    sorted_.resize(density.n);
    for (int i = 0; i < 40000; ++i) {
      const Eigen::VectorXd q = density.draw(stream);
      for (Eigen::Index k = 0; k < density.n; ++k) sorted_[k].push_back(q[k]);
    }
    for (auto& column : sorted_) std::sort(column.begin(), column.end());
  }
  std::vector<double> functions(const Eigen::VectorXd& q) const {
    std::vector<double> f;
    for (Eigen::Index k = 0; k < density_.n; ++k) {
      // Ranks instead of values: their moments exist whatever the density is.
      const auto& column = sorted_[k];
      const auto at = std::lower_bound(column.begin(), column.end(), q[k]) - column.begin();
      const double u = static_cast<double>(at) / static_cast<double>(column.size());
      f.push_back(u);
      f.push_back((u - 0.5) * (u - 0.5));
      f.push_back(u < 0.05);
      f.push_back(u > 0.95);
      const double next = q[(k + 1) % density_.n];
      f.push_back(std::tanh(q[k]) * std::tanh(next));
      f.push_back(std::clamp(q[k], -20.0, 20.0));
      f.push_back(std::clamp(q[k] * q[k], -20.0, 20.0));
    }
    return f;
  }

 private:
  const KnownDensity& density_;
  std::vector<std::vector<double>> sorted_;
};

// The largest |z| between `chains` ends of start-and-move and as many direct draws. `move_from(q, stream)`
// returns where a chain that starts at q is after some moves.
template <typename MoveFrom>
double largest_z(const KnownDensity& density, int chains, MoveFrom&& move_from) {
  const MomentTable table(density);
  std::vector<double> sums[2], squares[2];
  for (int i = 0; i < chains; ++i) {
    for (unsigned way : {0u, 1u}) {
      Stream stream({7 + way}, static_cast<std::uint32_t>(i), 0);
      Eigen::VectorXd q = density.draw(stream);
      if (way == 1) q = move_from(q, stream);
      const std::vector<double> f = table.functions(q);
      sums[way].resize(f.size());
      squares[way].resize(f.size());
      for (std::size_t j = 0; j < f.size(); ++j) {
        sums[way][j] += f[j];
        squares[way][j] += f[j] * f[j];
      }
    }
  }
  double largest = 0;
  const double n = chains;
  for (std::size_t j = 0; j < sums[0].size(); ++j) {
    double variance = 0;
    for (unsigned way : {0u, 1u})
      variance += (squares[way][j] / n - std::pow(sums[way][j] / n, 2)) / n;
    largest = std::max(largest, std::fabs(sums[1][j] - sums[0][j]) / n / std::sqrt(variance));
  }
  return largest;
}

// Over independent chains: the largest |t| of the means of the coordinates and of their squared distances
// from the true mean. `run(stream, keep)` runs a chain and calls keep(q) for each of its draws.
template <typename Run>
double largest_t(const CorrelatedNormal& density, int chains, Run&& run) {
  const Eigen::Index n = density.n;
  Eigen::MatrixXd means = Eigen::MatrixXd::Zero(2 * n, chains);
  for (int chain = 0; chain < chains; ++chain) {
    Stream stream({5}, static_cast<std::uint32_t>(chain), 0);
    double draws = 0;
    run(stream, [&](const Eigen::VectorXd& q) {
      const Eigen::ArrayXd off = q - density.mean;
      means.col(chain).head(n).array() += off;
      means.col(chain).tail(n).array() += off.square() - density.covariance.diagonal().array();
      ++draws;
    });
    means.col(chain) /= draws;
  }
  const Eigen::ArrayXd mean = means.rowwise().mean();
  const Eigen::ArrayXd variance =
      (means.colwise() - mean.matrix()).array().square().rowwise().sum() / (chains - 1.0);
  return (mean / (variance / chains).sqrt()).abs().maxCoeff();
}

}  // namespace chancel
