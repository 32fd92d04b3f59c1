// SPDX-License-Identifier: Apache-2.0
// Draws of a run as doquery gives them, collected until they are taken, so that a script can compute with the draws of
// a run that its host started.
#pragma once
#include <vector>

#include "value/heap.hpp"

namespace chancel {

class Session;
struct Draw;

class KeptDraws {
 public:
  explicit KeptDraws(Session& session) : session_(session) {}
  void keep(const Draw& draw);
  Value take();  // a vector
  void visit(Evacuator& e) {
    for (Value& v : draws_) e.visit(v);
  }

 private:
  Session& session_;
  std::vector<Value> draws_;  // roots
};

}  // namespace chancel
