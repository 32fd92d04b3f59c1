// SPDX-License-Identifier: Apache-2.0
// One move of the no-U-turn sampler as Stan has it: a trajectory of leapfrog steps is doubled until
// it turns back, diverges or has 2^max_depth steps. The next position is drawn with the weights of
// all states of the trajectory (multinomial), progressively: uniformly in weight within each new half,
// and with a bias towards the new half as a whole. Turning back is the generalised criterion, checked
// across the seam of two halves as well (Betancourt 2017, appendix A).
// Beside the density a step costs about twenty passes over vectors of its dimension, two exponentials
// and a logarithm, and no allocation.
#pragma once
#include <Eigen/Core>
#include <vector>

#include "gradient/log_density.hpp"
#include "gradient/metric.hpp"

namespace chancel {

struct NutsFigures {       // of one move
  double acceptance = 0;   // mean over the trajectory of min(1, weight): what warm-up tunes
  double energy = 0;       // of the state that was chosen
  unsigned depth = 0;      // doublings that were completed
  unsigned steps = 0;      // leapfrog steps
  bool divergent = false;  // a step had an energy error above 1000, or left the support
};

class NutsMove {
 public:
  NutsMove(LogDensity& density, Metric metric);

  // Puts the chain at q. False: the density is zero there or has no gradient; choose another q.
  bool start(const Eigen::VectorXd& q);
  const Eigen::VectorXd& position() const { return at_.q; }
  double log_density() const { return at_.log_density; }

  NutsFigures move(Stream& stream);
  // Where the divergent step of the last move began.
  const Eigen::VectorXd& divergence() const { return before_; }
  // Doubles or halves the step size until the acceptance of a single step crosses 0.8. False: it never
  // does (the density is flat, or has no slope to follow at any scale).
  bool find_step_size(Stream& stream);

  Metric metric;
  double step_size = 1;
  unsigned max_depth = 10;

 private:
  struct Point {
    Eigen::VectorXd q, gradient;
    double log_density = 0;
    double energy = 0;
  };
  struct State : Point {
    Eigen::VectorXd p;
  };
  // A stretch of the trajectory, in the order in which it was integrated.
  struct Stretch {
    Eigen::VectorXd p[2], velocity[2];  // at its first and last state
    Eigen::VectorXd sum;                // of its momenta
    double log_weight = 0;
    Point choice;  // one of its states, by weight
  };
  void leap(State& z, double step);
  // Leaves the velocity in velocity_.
  void update_energy(State& z);
  // 2^depth further steps of moving_. False: the trajectory ends within.
  bool build(unsigned depth, Stretch& out, Stream& stream);
  bool build_leaf(Stretch& out);
  // Whether two stretches, the second joined to end `seam` of the first, go straight on together.
  bool straight(const Stretch& a, unsigned seam, const Stretch& b) const;

  LogDensity& density_;
  Point at_;  // where the chain is
  State moving_, ends_[2];
  Stretch whole_, fresh_;
  std::vector<Stretch> second_;  // of each depth
  Eigen::VectorXd velocity_, before_;
  double start_energy_ = 0, signed_step_ = 0, acceptance_sum_ = 0;
  NutsFigures figures_;
};

}  // namespace chancel
