// SPDX-License-Identifier: Apache-2.0
// The services that the program offers to generated code, and the text that precedes generated
// code.
#pragma once
#include <string>

#include "infer/native_tier.hpp"
#include "native/abi.h"
#include "value/native.hpp"

namespace chancel::native {

// The source of one piece of a text of `whole` bytes.
std::string generated_source(const std::string& piece, std::size_t whole, NativeNeeds needs = {});
// Sets functions, tables and memory of the batch (rows: in this space, or in the arena); the caller
// sets the rest.
void fill_services(NativeContext& cx, RowSpace* rows, cn_batch* b);

// Closes the last block: the particles before this one are stored in it.
void close_rows(std::size_t particle, RowSpace& space, std::vector<RowBlock>& blocks);

}  // namespace chancel::native
