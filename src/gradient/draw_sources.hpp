// SPDX-License-Identifier: Apache-2.0
// Where the draws of an execution come from while it is recorded (record/recorder.hpp).
#pragma once
#include <vector>

#include "gradient/plain_run.hpp"
#include "record/recorder.hpp"

namespace chancel {

// New draws: coordinates at random, and values from the distributions of draws that are held. Reach 0:
// all that can come from their distributions.
class FreshDraws final : public DrawSource {
 public:
  FreshDraws(Stream& stream, double reach) : stream_(stream), reach_(reach) {}
  Answer answer(NativeContext& cx, const Question& q, double* coordinates, Value* value) override;

 private:
  Stream& stream_;
  double reach_;
};

// These, in this order.
class ListedDraws final : public DrawSource {
 public:
  explicit ListedDraws(const std::vector<DrawnValue>& draws) : draws_(draws) {}
  Answer answer(NativeContext&, const Question& q, double*, Value* value) override;

 private:
  const std::vector<DrawnValue>& draws_;
  std::size_t next_ = 0;
};

// Those of a structure at coordinates on the real line. Draws after the observed ones are
// predictive: they keep their values or come from their distributions.
class DrawsAtCoordinates final : public DrawSource {
 public:
  DrawsAtCoordinates(const std::vector<StructureDraw>& structure, std::size_t observed,
                     const double* q)
      : structure_(structure), observed_(observed), at_(q) {}
  Answer answer(NativeContext& cx, const Question& q, double* coordinates, Value* value) override;
  // The answer was Elsewhere because a distribution has become so wide that its draws are held
  // (record/boundary_mass.hpp).
  bool piled_up() const { return piled_up_; }

 private:
  const std::vector<StructureDraw>& structure_;
  std::size_t observed_;
  std::size_t next_ = 0;
  const double* at_;
  bool piled_up_ = false;
  Stream any_;  // one for all draws, not restarted: the program may reject draws in a loop
};

}  // namespace chancel
