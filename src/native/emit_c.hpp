// SPDX-License-Identifier: Apache-2.0
// Segments as C (the form is segment/ir.hpp). The text contains no addresses: objects and functions of
// the process are in tables beside it, so that it is the same in every process.
//
// A segment is a C function that runs a batch: code of batch rate, then a loop over particles whose
// families share code of family rate. Branches on conditions of batch rate choose among several such
// loops, one for each path.
#pragma once
#include <string>
#include <vector>

#include "segment/ir.hpp"

namespace chancel::native {

class Tables {  // shared by all segments of a query
 public:
  std::size_t constant(const Value& v);
  std::size_t pointer(const void* p);
  std::vector<Value> constants;
  std::vector<const void*> pointers;
};

// A segment, a function or a loop.
std::string emit_c(const segment::Function& function, Tables& tables);
// A segment that all particles leave at once.
std::string emit_c_stub(segment::Form form, std::size_t number);
// Functions that call each other, and `int64_t entry(cn_batch* b, cn_value* registers)`, which calls the first one
// or is the loop that the first one is. It returns -1 when it had no effect. A function stores its value in
// b->results; a loop returns the instruction where the interpreter resumes.
std::string emit_c_unit(const std::vector<segment::Function>& functions, Tables& tables);

// What rows of resume point `number` are: macros that precede segments.
std::string emit_c_point(std::size_t number, bool in_blocks);

}  // namespace chancel::native
