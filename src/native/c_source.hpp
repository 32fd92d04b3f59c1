// SPDX-License-Identifier: Apache-2.0
// What precedes emitted code: tags and constants of this program, and the C sources that both sides share.
#pragma once
#include <string>

#include "infer/native_tier.hpp"

namespace chancel::native {

// The source of one piece of a text of `whole` bytes.
std::string generated_source(const std::string& piece, std::size_t whole, NativeNeeds needs = {});

}  // namespace chancel::native
