// SPDX-License-Identifier: Apache-2.0
// Documents and tables as values of programs: objects become maps with keyword keys, arrays
// vectors, columns a map of keywords to vectors.
#pragma once
#include "data/csv.hpp"
#include "data/document.hpp"
#include "value/heap.hpp"
#include "value/value.hpp"

namespace chancel::data {

Value to_value(const Document& document, Arena& arena);
Value to_value(const Columns& columns, Arena& arena);
Value to_value(const Table& rows, Arena& arena);

}  // namespace chancel::data
