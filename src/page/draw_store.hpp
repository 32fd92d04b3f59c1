// SPDX-License-Identifier: Apache-2.0
// The draws of the labels that are charted, as numbers, by chain, taken from the columns of a
// summary. If they would be more than kMaxValues numbers, only every k-th draw is taken, which is
// enough for a chart.
#pragma once
#include <cstdint>
#include <vector>

#include "chancel/summary.hpp"
#include "report/draw_columns.hpp"

namespace chancel::page {

struct Series {
  report::Chains values;   // numbers; of other values their place in the support, or -1
  report::Chains weights;  // relative; empty = equal
  bool integers = true;    // all values are whole numbers of the program
};

class DrawStore {
 public:
  static constexpr std::size_t kMaxValues = 20'000'000;

  // `rows`: the number of rows of their summary.
  DrawStore(const report::DrawColumns& draws, std::size_t rows);
  // Of the row of the summary with this number.
  Series series(std::size_t number, const Estimate& row) const;
  std::size_t step() const { return step_; }  // every step-th draw is there

  const report::Column& column(std::size_t number) const { return *leaves_[number]; }
  // The numbers of that row; null unless every draw has one.
  const report::Column* numbers(std::size_t number) const;
  // At most `most` draws, by their weights, spread evenly over the run and its chains.
  std::vector<std::size_t> pick(std::size_t most) const;
  // Draws whose trajectory diverged.
  const std::vector<std::size_t>& divergent_rows() const { return draws_.divergent_rows; }

 private:
  const report::DrawColumns& draws_;
  std::vector<const report::Column*> leaves_;  // in the order of the summary
  std::size_t step_;
  std::vector<std::uint32_t> chain_of_;  // of each draw: number in the order of appearance
  std::vector<double> weights_;          // empty = equal
  std::size_t chains_ = 0;
};

}  // namespace chancel::page
