// SPDX-License-Identifier: Apache-2.0
// Draws as bytes, from one process of a run to another.
#pragma once
#include <string>

#include "runs/draw_batch.hpp"
#include "value/bytes.hpp"

namespace chancel {

// Draws that are written one after the other share what their values share.
class DrawPacker {
 public:
  DrawPacker(ByteWriter& out, const ByteNames* names) : out_(out), values_(out, names) {}
  // False: a value has no byte form, and problem() says which.
  bool add(const KeptDraw& draw);
  const std::string& problem() const { return problem_; }

 private:
  bool add(const Value& v, const Value* label);
  ByteWriter& out_;
  ValueWriter values_;
  std::string problem_;
};

// Reads `count` draws into the batch. False: in.problem() says why.
bool unpack_draws(ByteReader& in, std::uint64_t count, const ByteNames* names, DrawBatch& batch);

}  // namespace chancel
