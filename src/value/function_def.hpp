// SPDX-License-Identifier: Apache-2.0
// What can be said of a function or query of the program without running it: for printing, hashing and metadata. Its
// code, which extends this, belongs to bytecode (FunctionProto).
#pragma once
#include <string>

#include "base/symbol.hpp"
#include "diag/span.hpp"

namespace chancel {

struct FunctionDef {
  const Name* name = nullptr;  // may be null
  Span span;
  bool is_query = false;
  bool is_anglican = false;  // fm, defm
  std::string source;        // queries: their text
};

}  // namespace chancel
