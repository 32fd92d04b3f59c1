// SPDX-License-Identifier: Apache-2.0
// What the program does for generated code, and the text in front of it.
#pragma once
#include <string>

#include "infer/native_tier.hpp"
#include "native/abi.h"
#include "value/native.hpp"

namespace chancel::native {

// The source of a piece of code, which is `whole` bytes long in all.
std::string generated_source(const std::string& piece, std::size_t whole, NativeNeeds needs = {});
// Functions, tables and memory (rows: in this space, or in the arena); what is at work is the caller's to say.
void fill_services(NativeContext& cx, RowSpace* rows, cn_batch* b);

// The particles before this one rest in the last block, which was opened for them.
void close_rows(std::size_t particle, RowSpace& space, std::vector<RowBlock>& blocks);

}  // namespace chancel::native
