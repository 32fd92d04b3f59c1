// SPDX-License-Identifier: Apache-2.0
// Native code for a population: see infer/native_tier.hpp.
#pragma once
#include <memory>

#include "infer/native_tier.hpp"

namespace chancel::native {

// Null: no part of the query can be translated, or no compiler was found.
std::unique_ptr<NativeTier> make_tier(const Prefix& prefix, const RunSetup& setup,
                                      Executor& machine, NativeNeeds needs);

}  // namespace chancel::native
