// SPDX-License-Identifier: Apache-2.0
// The format csv of chancel/draw_writer.hpp: a row for each draw. The first kHeld draws are held
// back to learn the labels and whether the parts of each keep their shape; then the header is
// written and rows follow as they come, straight from the values into the line. A label that
// changes shape is one column of printed values. Later values without a column are counted
// and reported at the end.
//
// Cells are what chancel/run_directory.hpp reads back: numbers (Inf, -Inf, NaN where they are not
// finite), true, false, keywords with their colon, collections as pr prints them, strings as they
// are unless that would be read as something else (then in double quotes, as pr prints them).
// Quotes as RFC 4180 has them; a label that a draw lacks is an empty cell.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/bytes.hpp"
#include "chancel/draw_writer.hpp"
#include "report/sampler_columns.hpp"

namespace chancel::report {

class CsvWriter : public DrawWriter {
 public:
  static constexpr std::size_t kHeld = 1000;
  explicit CsvWriter(Output output) : output_(std::move(output)) {}
  void draw(const Draw& draw) override;
  std::string end() override;
  // Its columns as bytes, once they are determined, and back into a new writer.
  bool columns_fixed() const { return columns_fixed_; }
  void save(ByteWriter& to) const;
  bool restore(ByteReader& from);

 private:
  struct Layout {  // how a value is taken apart; a leaf has no parts
    bool map = false;
    std::vector<std::string> keys;
    std::vector<Layout> parts;
    std::size_t leaves = 1;
  };
  struct Label {
    std::string printed;  // as draws carry it
    std::string name;     // as the header shows it
    Layout layout;
    bool apart = true;
  };
  struct HeldRow {
    std::string head;
    struct Cell {
      std::size_t label;
      std::string parts;  // all cells of the layout, with commas between
      std::string whole;
    };
    std::vector<Cell> cells;
  };
  static void save(ByteWriter& to, const Layout& layout);
  static void restore(ByteReader& from, Layout& layout, std::size_t depth);
  static Layout layout_of(const ValueView& value, std::size_t depth);
  // Cells of the parts, each after a comma; false (and a torn line) when the value has another
  // shape.
  static bool append_parts(std::string& line, const Layout& layout, const ValueView& value);
  static void append_names(std::string& line, const std::string& name, const Layout& layout);
  std::size_t label_at(const std::string& printed, std::size_t position, bool add);
  template <class Visit>
  void each_value(const Draw& draw, const Visit& visit);
  void hold(const Draw& draw);
  void fix_columns();
  void place(const Draw& draw);  // finds the column of each value
  void write(const Draw& draw);

  Output output_;
  SamplerColumns sampler_;
  std::vector<Label> labels_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<HeldRow> held_;
  std::vector<const ValueView*> row_;  // of each label, reused
  std::string line_;
  bool columns_fixed_ = false;
  std::uint64_t misfits_ = 0;
  std::string first_misfit_;
};

}  // namespace chancel::report
