// SPDX-License-Identifier: Apache-2.0
// Cells of CSV files: written straight into a line, and read back record by record. What is written
// is read back as the same kind of thing (csv_writer.hpp has the rules).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "chancel/chancel.hpp"

namespace chancel::report {

void append_integer(std::string& out, std::int64_t value);
void append_number_cell(std::string& out, double value);
// A text in double quotes where CSV needs them.
void append_text_cell(std::string& out, std::string_view text);
void append_cell(std::string& out, const ValueView& value);

// Takes the cells of the first record of `text` (without its quotes) and returns its length with
// the line end; 0 when the record is not complete. Cells point into `text`, or into `unquoted`
// where quotes had to be taken off.
std::size_t split_record(std::string_view text, std::vector<std::string_view>& cells,
                         std::string& unquoted);

}  // namespace chancel::report
