// SPDX-License-Identifier: Apache-2.0
// Python data as values of programs, without text in between:
//   None, bool, int, float, Fraction, str, Keyword    lists, tuples -> vectors    dicts -> maps (str
//   keys become keywords)    sets    NumPy arrays, straight from their memory    Edn, which is read
//   all else that has tolist(), or is a number to Python (numbers.Integral, numbers.Real)
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
