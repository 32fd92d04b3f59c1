// SPDX-License-Identifier: Apache-2.0
// Messages of the library as Python data, and chancel::Error as the Python exception chancel.Error.
#pragma once
#include <pybind11/pybind11.h>

#include <vector>

#include "chancel/chancel.hpp"

namespace chancel::python {

pybind11::list to_list(const std::vector<Message>& messages);  // of chancel.Diagnostic
void register_errors();

}  // namespace chancel::python
