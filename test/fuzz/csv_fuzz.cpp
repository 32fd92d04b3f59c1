// SPDX-License-Identifier: Apache-2.0
// Any bytes as a CSV file: records and columns become values that print, every node lies in the text, and a
// message does, too.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "data/csv.hpp"
#include "data/values.hpp"
#include "value/print.hpp"

using namespace chancel;

namespace {

void look_at(bool ok, const data::DataError& error, std::size_t size, bool inside) {
  if (!ok && (error.message.empty() || error.begin > error.end || error.end > size)) std::abort();
  if (ok && !inside) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  Heap heap;
  Arena arena(heap);
  bool inside = true;
  const auto check = [&](const data::Node& n) {
    inside = inside && n.begin <= n.end && n.end <= size;
  };

  data::Table table;
  data::DataError error;
  const bool rows = data::read_rows(text, &table, &error);
  for (const data::Node& n : table.cells) check(n);
  look_at(rows, error, size, inside);
  if (rows) show(data::to_value(table, arena));

  data::Columns columns;
  error = {};
  const bool named = data::read_columns(text, &columns, &error);
  for (const auto& column : columns.cells)
    for (const data::Node& n : column) check(n);
  look_at(named, error, size, inside && columns.names.size() == columns.cells.size());
  if (named) show(data::to_value(columns, arena));

  // As draws are read back: record by record.
  std::vector<std::string_view> cells;
  std::string unquoted;
  std::string_view left = text;
  while (const std::size_t length = data::split_record(left, cells, unquoted)) {
    if (length > left.size()) std::abort();
    left.remove_prefix(length);
  }
  return 0;
}
