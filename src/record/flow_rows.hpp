// SPDX-License-Identifier: Apache-2.0
// Observes of one shape in the flow of values: a loop over the rows of the data whose observes depend on the same draws
// (a regression). What each row works out between these and its score and for no other use becomes a plate
// (plate.hpp): a changed draw is carried on to all rows in a few loops over arrays instead of node by node.
#pragma once
#include <memory>
#include <vector>

#include "record/plate_program.hpp"

namespace chancel {

class Dataflow;

class FlowRows {
 public:
  FlowRows(std::shared_ptr<const Plate> plate, std::vector<NodeIndex> shared,
           std::vector<std::uint32_t> numbers);

  // Which nodes all rows depend on; in the order of their values.
  const std::vector<NodeIndex>& shared() const { return shared_; }
  // The numbers of the scores, by row.
  const std::vector<std::uint32_t>& numbers() const { return numbers_; }
  double score(std::size_t row) const { return scores_[row]; }
  double sum() const { return sum_; }
  // What evaluating them costs, in nodes.
  std::size_t cost() const { return cost_; }

  // The scores at these values, and what their sum has gained; put_back() undoes that. False: a score is NaN or
  // infinite, and nothing has happened; `impossible`: one is -inf, and none is anything else.
  bool change(const double* values, double* gain, bool* impossible);
  void put_back();
  std::size_t bytes() const;

 private:
  PlateProgram program_;
  std::vector<NodeIndex> shared_;
  std::vector<std::uint32_t> numbers_;
  std::vector<double> scores_, others_;  // as they are, and as they were or might have been
  double sum_ = 0, other_sum_ = 0;
  std::size_t cost_;
};

// Finds rows, takes their nodes out of the flow, whose outputs are known and whose users are not, and gives a node to
// each group of rows.
void gather_rows(Dataflow& flow);

}  // namespace chancel
