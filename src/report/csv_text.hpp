// SPDX-License-Identifier: Apache-2.0
// Cells of CSV files, written straight into a line. What is written is read back as the same kind
// of thing (csv_writer.hpp has the rules).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "chancel/chancel.hpp"

namespace chancel::report {

void append_integer(std::string& out, std::int64_t value);
void append_number_cell(std::string& out, double value);
// A text in double quotes where CSV needs them.
void append_text_cell(std::string& out, std::string_view text);
void append_cell(std::string& out, const ValueView& value);

}  // namespace chancel::report
