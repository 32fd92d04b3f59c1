// SPDX-License-Identifier: Apache-2.0
// Comma-separated values (RFC 4180) with what spreadsheets make of them: a byte-order mark,
// semicolons or tabs between cells, line ends of all systems, quoted cells over several lines. In
// files with semicolons 1,5 is a number: they come from places that write numbers so. Cells become
// values by the rule of data/scalar.hpp, quoted or not.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/document.hpp"

namespace chancel::data {

// Takes the cells of the first record of `text` (without their quotes) and returns its length with
// the line end; 0 when the record is not complete. Cells point into `text`, or into `unquoted`
// where quotes had to be taken off. At the end of a file the text must end with a line end.
std::size_t split_record(std::string_view text, std::vector<std::string_view>& cells,
                         std::string& unquoted, char separator = ',');

struct Table {
  std::vector<Node> cells;          // row by row
  std::vector<std::uint32_t> rows;  // where each begins in `cells`
};

// All records of a text, but for empty lines. The separator is the one of , ; and tab that the
// first line has most of.
bool read_rows(std::string_view text, Table* table, DataError* error);

struct Columns {
  std::vector<std::string> names;
  std::vector<std::vector<Node>> cells;  // by column
};

// Records under a header: all of one length, names that differ. A column without a name is called
// columnN.
bool read_columns(std::string_view text, Columns* columns, DataError* error);

}  // namespace chancel::data
