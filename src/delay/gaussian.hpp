// SPDX-License-Identifier: Apache-2.0
// Delayed Gaussian draws. Jointly normal numbers form a block; blocks form trees: the root of a
// tree has its marginal distribution, every other block a linear Gaussian distribution given its
// parent. Reversing the edges on the path to another block makes it the root, so any block can be
// observed or drawn without drawing another: a Kalman filter moves the root along a chain, a
// hierarchical model moves it into a group and back. A draw that depends on two blocks joins them.
//
// A block may have an unknown scale: its covariances are then multiples of 1/gamma for a gamma draw
// (normal-inverse-gamma) that is the same in the whole tree.
#pragma once
#include <Eigen/Core>
#include <optional>

#include "delay/draw_store.hpp"

namespace chancel {

inline constexpr int kMostJoint = 16;  // numbers in a block
using SmallMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kMostJoint, kMostJoint>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, kMostJoint, 1>;

struct AffineTerm {
  DrawId component;
  double coefficient;
};
// constant + sum of coefficient * component; no component has a known value.
struct AffineForm {
  double constant = 0;
  std::vector<AffineTerm> terms;
};

struct GaussianBlock {
  std::vector<DrawId> components;
  std::vector<DrawId> parents;  // components of one other block; none: this is a root
  DrawId scale = 0;             // a gamma draw, or none
  SmallVector offset;           // + slope * parents: the mean
  SmallMatrix slope;
  SmallMatrix covariance;  // given the parents
  int size() const { return static_cast<int>(components.size()); }
};

// Conditions a gamma draw on `count` normal numbers whose precision it scales, given the log
// determinant of their covariance and the sum of their squared standardised errors, both for a
// gamma draw equal to 1. Gives the log density of the numbers (Student's t).
double condition_scale(DrawStore& store, DrawId scale, double count, double log_determinant,
                       double square);

class Gaussians {
 public:
  explicit Gaussians(DrawStore& store) : store_(store) {}

  // A block for new components at this place, which depend on `parents`.
  DrawId add(const GaussianBlock& block, const DrawAddress& place, std::vector<DrawId>* components);
  GaussianBlock load(DrawId block) const;  // conditioned on all values known by now
  DrawId block_of(DrawId component) const { return store_.link(component, 0); }
  DrawId scale_of(DrawId block) const;  // while its value is unknown; 0: none
  // Makes the block the root of its tree, and gives it.
  GaussianBlock root_at(DrawId block);
  // One block with all these components, which is a root; none: it would be too large (kMostJoint).
  std::optional<DrawId> join(const std::vector<DrawId>& components);

  // Conditions a root on slope * components + noise = value; `noise` in the block's units. Gives
  // the log density of `value`, whose mean was slope * mean. An unknown scale is conditioned, too.
  double condition(DrawId root, const SmallMatrix& slope, const SmallVector& mean_offset,
                   const SmallMatrix& noise, const SmallVector& value);
  // Mean and variance of a component; its tree has no unknown scale.
  void marginal(DrawId component, double* mean, double* variance);
  void set_value(DrawId component, double value);

 private:
  void save(DrawId id, const GaussianBlock& block);
  void turn_round(DrawId parent, DrawId child);
  DrawId parent_of(DrawId block) const;  // 0: it is a root
  // A root and its child as one root.
  void absorb(DrawId root, DrawId child);

  DrawStore& store_;
};

}  // namespace chancel
