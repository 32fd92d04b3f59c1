// SPDX-License-Identifier: Apache-2.0
// Numbers, strings, names and collections of them: values that can be read without calling anything.
#pragma once
#include "value/value.hpp"

namespace chancel {

bool is_plain_data(const Value& value);

}  // namespace chancel
