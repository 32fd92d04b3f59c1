// SPDX-License-Identifier: Apache-2.0
// Where in the program trajectories diverge: for each coordinate of the log density, its mean and
// spread over the draws, and its median over the states from which a divergent step set out (some of
// them lie anywhere: the steps before were too long already). The draw of the program whose coordinate
// is furthest off there, in its own standard deviations, is where they gather: in a funnel that is the
// scale, at small values.
#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/bytes.hpp"

namespace chancel {

struct RunningMoments {  // Welford
  double count = 0, mean = 0, squares = 0;
  void add(double x) {
    ++count;
    const double off = x - mean;
    mean += off / count;
    squares += off * (x - mean);
  }
  void add(const RunningMoments& other);
  double sd() const;  // 0 for fewer than two
};

// How the value of a draw goes with its coordinate.
enum class CoordinateSense : std::uint8_t {
  Rising,
  RisingFromBound,  // its logarithm, or that of its distance from a bound below
  Falling,
  Mixed,  // one of several coordinates of a draw
};

struct CoordinatePlace {
  std::uint32_t site = 0;
  CoordinateSense sense = CoordinateSense::Rising;
};

struct PlaceMoments {
  std::uint32_t site = 0, ordinal = 0;  // among the coordinates of its site
  CoordinateSense sense = CoordinateSense::Rising;
  RunningMoments draws;
  std::vector<double> divergences;
  // From the mean of the draws to the median where divergent steps began, in standard deviations.
  double shift() const;
};

// In the order of the first execution that has them. Memory: up to 16 MB for divergences; later ones
// are left out.
class DivergencePlaces {
 public:
  // The coordinates that follow are these.
  void enter(const std::vector<CoordinatePlace>& coordinates);
  void draw(const Eigen::VectorXd& q);
  void divergence(const Eigen::VectorXd& q);
  void add(const DivergencePlaces& other);
  const std::vector<PlaceMoments>& all() const { return places_; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  std::size_t slot(std::uint32_t site, std::uint32_t ordinal, CoordinateSense sense);
  std::vector<PlaceMoments> places_;
  std::unordered_map<std::uint64_t, std::size_t> index_;  // of places_
  std::vector<std::size_t> slots_;                        // of the present coordinates
  std::size_t kept_ = 0;                                  // coordinates of divergences
};

}  // namespace chancel
