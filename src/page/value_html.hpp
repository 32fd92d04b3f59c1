// SPDX-License-Identifier: Apache-2.0
// Values as HTML: charts, tables, lists, grids, images and formulas as what they are, draws as their
// summary, everything else as text. How a chart is drawn is up to the page.
#pragma once
#include <functional>
#include <string>

#include "chancel/value.hpp"
#include "report/chart.hpp"

namespace chancel::page {

class ValueHtml {
 public:
  using Draw = std::function<std::string(const report::Chart&)>;
  // `most`: characters of a printed value.
  ValueHtml(Draw draw, std::size_t most) : draw_(std::move(draw)), most_(most) {}

  std::string block(const ValueView& value);  // never throws: what cannot be read is printed
  std::size_t pictures() const { return pictures_; }  // charts and images so far

 private:
  std::string block_of(const ValueView& value);
  std::string printed(const ValueView& value) const;
  std::string figure(const report::Chart& chart);
  std::string table(const ValueView& view);
  std::string cell(const ValueView& value);
  std::string grid(const ValueView& view);
  std::string image(const ValueView& view);
  std::string items(const std::vector<ValueView>& all, const char* open, const char* close);

  Draw draw_;
  std::size_t most_;
  std::size_t pictures_ = 0;
  int depth_ = 0;
  std::size_t shown_ = 0;  // of this value
};

}  // namespace chancel::page
