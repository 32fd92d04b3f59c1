// SPDX-License-Identifier: Apache-2.0
// Engine options of the public interface as values, which is how programs give them too.
#pragma once
#include "chancel/chancel.hpp"
#include "value/value.hpp"

namespace chancel {
Value option_value(const EngineOption& option);
}  // namespace chancel
