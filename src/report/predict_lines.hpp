// SPDX-License-Identifier: Apache-2.0
// The formats anglican, clojure and json-lines of chancel/draw_writer.hpp.
#pragma once
#include <string>

#include "chancel/draw_writer.hpp"

namespace chancel::report {

class PredictLines : public DrawWriter {
 public:
  enum class Kind { Anglican, Clojure, JsonLines };
  PredictLines(Kind kind, Output output) : kind_(kind), output_(std::move(output)) {}
  void begin(const RunInfo& info) override;
  void draw(const Draw& draw) override;

 private:
  Kind kind_;
  Output output_;
  std::string line_;
};

}  // namespace chancel::report
