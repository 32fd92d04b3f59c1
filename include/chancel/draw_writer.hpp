// SPDX-License-Identifier: Apache-2.0
// Writes draws as text, in one of these formats:
//
//   anglican    `label,value,log-weight`, a line for each predict, after four comment lines: what
//               Anglican's own command prints and its analysis tools read
//   clojure     `[label value log-weight]`, likewise
//   json-lines  `["label",value,log-weight]`, likewise
//   csv         a row for each draw: index, chain, sweep, log_weight, lp__ and what else the engine
//               says of a draw (docs/file-formats.md), then a column for each label,
//               or for each of its parts if its shape is fixed (`:states[3]`). The first 1000 draws
//               determine the columns.
//   ndjson      an object for each draw:
//               {"index", "chain", "sweep", "log_weight", "predicts": {label: value}}
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "chancel/chancel.hpp"
#include "chancel/summary.hpp"

namespace chancel {

class DrawWriter {
 public:
  using Output = std::function<void(std::string_view)>;
  virtual ~DrawWriter() = default;
  virtual void begin(const RunInfo&) {}
  virtual void draw(const Draw& draw) = 0;
  // Writes what is held back. Returns a sentence about what could not be written, or nothing.
  virtual std::string end() { return {}; }
};

// Null for an unknown format.
std::unique_ptr<DrawWriter> make_draw_writer(std::string_view format, DrawWriter::Output output);
std::vector<std::string> draw_formats();

}  // namespace chancel
