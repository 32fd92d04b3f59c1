// SPDX-License-Identifier: Apache-2.0
// The format csv of chancel/draw_writer.hpp: a row for each draw. The first kHeld draws are held
// back to learn the labels and whether the parts of each keep their shape; then the header is
// written and rows follow as they come. A label that changes shape is one column of printed values.
// What turns up later and has no column is counted and told at the end. Quotes as RFC 4180 has
// them; numbers as Inf, -Inf, NaN where they are not finite; a label that a draw lacks is an empty
// cell.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "chancel/draw_writer.hpp"

namespace chancel::report {

class CsvWriter : public DrawWriter {
 public:
  static constexpr std::size_t kHeld = 1000;
  explicit CsvWriter(Output output) : output_(std::move(output)) {}
  void draw(const Draw& draw) override;
  std::string end() override;

 private:
  struct Parts {  // a value taken apart
    std::vector<std::string> paths;
    std::vector<std::string> cells;
    std::string whole;
  };
  struct Label {
    std::string name;
    std::vector<std::string> paths;  // {""} for one column
    bool apart = true;
  };
  struct HeldRow {
    std::string head;
    std::vector<std::pair<std::size_t, Parts>> values;  // by label
  };
  static Parts take_apart(const ValueView& value);
  std::size_t label_index(const std::string& name, bool add);
  void settle();
  void write(const HeldRow& row);
  HeldRow row_of(const Draw& draw);

  Output output_;
  std::vector<Label> labels_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<HeldRow> held_;
  bool settled_ = false;
  std::uint64_t misfits_ = 0;
  std::string first_misfit_;
};

}  // namespace chancel::report
