// SPDX-License-Identifier: Apache-2.0
// The program at given coordinates of its draws, run by the plain machine: what a recording has to
// agree with, bit by bit. It shares the transforms from the real line with the recorder and nothing
// else.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "infer/prefix.hpp"
#include "record/transform_kind.hpp"
#include "value/drawn_value.hpp"

namespace chancel {

// A draw of the structure that a recorded program has.
struct StructureDraw : DrawAddress {
  std::uint32_t inputs = 0;  // coordinates; 0: it is held
  Value held = Value::nil();
  Value distribution = Value::nil();  // distribution of a held draw without a known score
  std::uint64_t part = 0;  // of the distribution that a held value belongs to (RecordedDraw)
  TransformKind kind = TransformKind::None;
};

struct PlainRun {
  enum class Kind : std::uint8_t {
    Result,
    Impossible,  // an observe has density zero
    Elsewhere,   // it has other draws
    Failed,
  } kind = Kind::Failed;
  std::vector<double> scores;     // of the draws of the structure
  std::vector<double> jacobians;  // of the transforms
  double log_likelihood = 0;
  Predicts* predicts = nullptr;
  Value result = Value::nil();
  bool whole = true;  // to the end; else it has stopped at a predictive draw that is not known
  std::string failure;
};
// `q`: coordinates of all draws that have some. `predictive`: draws after the structure.
PlainRun plain_run(Executor& machine, const Prefix& prefix,
                   std::span<const StructureDraw> structure,
                   std::span<const StructureDraw> predictive, const double* q);

}  // namespace chancel
