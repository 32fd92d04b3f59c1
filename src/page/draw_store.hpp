// SPDX-License-Identifier: Apache-2.0
// The draws of the labels that are charted, as numbers, by chain. Of very many draws every k-th is
// taken, so that memory stays below kMaxValues numbers; a chart could not show more.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "chancel/summary.hpp"
#include "report/convergence.hpp"

namespace chancel::page {

struct Series {
  report::Chains values;   // numbers; for other values their index in the support, or -1
  report::Chains weights;  // relative; empty = equal
  bool integers = true;    // all values are whole numbers of the program
};

class DrawStore {
 public:
  static constexpr std::size_t kMaxValues = 20'000'000;

  // Reads the draws of the directory for these rows of its summary.
  DrawStore(const std::string& directory, std::span<const Estimate* const> rows,
            std::uint64_t draws);
  Series series(std::size_t row) const;
  std::size_t step() const { return step_; }  // every step-th draw is there

 private:
  struct Column {
    const Estimate* row;
    std::map<std::string, double> place;  // index in the support, of values that are not numbers
    std::vector<double> values;
    std::vector<std::uint32_t> draws;  // which draws have them; empty = all
    bool integers = true;
  };
  void add_parts(const std::string& label, const ValueView& value);
  void push(Column& column, const ValueView& value);

  std::size_t step_;
  std::vector<Column> columns_;
  std::map<std::string, std::size_t, std::less<>> index_;
  std::vector<std::uint32_t> chain_of_;  // of each draw: number in the order of appearance
  std::vector<double> weights_;          // empty = equal
  std::size_t chains_ = 0;
};

}  // namespace chancel::page
