// SPDX-License-Identifier: Apache-2.0
// Python data as values of programs, without text in between:
//   None, bool, int of any size, float, Fraction, str, Keyword    sequences -> vectors    mappings
//   -> maps (str keys become keywords)    sets    NumPy arrays, straight from their memory    Edn,
//   which is read    all else that has tolist(), or is a number to Python (numbers.Integral,
//   numbers.Real)
// Any depth of nesting works; what contains itself is refused.
#pragma once
#include <pybind11/pybind11.h>

#include <vector>

#include "chancel/chancel.hpp"

namespace chancel::python {

// Needs the interpreter. Raises TypeError, OverflowError or ValueError.
ValueView to_value(ValueMaker& maker, pybind11::handle object);
// Of a dict by name, with underscores or dashes.
std::vector<EngineOption> to_engine_options(const pybind11::dict& options);

}  // namespace chancel::python
