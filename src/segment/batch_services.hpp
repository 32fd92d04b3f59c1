// SPDX-License-Identifier: Apache-2.0
// The services that the program offers to segments that run.
#pragma once
#include <vector>

#include "segment/abi.h"
#include "value/native.hpp"
#include "vm/row_space.hpp"

namespace chancel::segment {

// Sets functions, tables and memory of the batch (rows: in this space, or in the arena); the caller
// sets the rest.
void fill_services(NativeContext& cx, RowSpace* rows, cn_batch* b);

// Closes the last block: the particles before this one are stored in it.
void close_rows(std::size_t particle, RowSpace& space, std::vector<RowBlock>& blocks);

}  // namespace chancel::segment
