// SPDX-License-Identifier: Apache-2.0
#include "data/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "data/scalar.hpp"

namespace chancel::data {

std::size_t split_record(std::string_view text, std::vector<std::string_view>& cells,
                         std::string& unquoted, char separator) {
  cells.clear();
  unquoted.clear();
  struct Piece {  // of `unquoted`, which may move while it grows
    std::size_t cell, begin, size;
  };
  std::vector<Piece> pieces;
  std::size_t at = 0;
  const auto finish = [&] {
    for (const Piece& p : pieces)
      cells[p.cell] = std::string_view(unquoted).substr(p.begin, p.size);
    return at;
  };
  while (true) {
    if (at < text.size() && text[at] == '"') {
      const std::size_t begin = unquoted.size();
      for (++at;; ++at) {
        if (at >= text.size()) return 0;
        if (text[at] == '"') {
          if (at + 1 >= text.size()) return 0;
          if (text[at + 1] != '"') break;
          ++at;
        }
        unquoted += text[at];
      }
      ++at;
      // What stands after the closing quote belongs to the cell: "a"b is ab.
      while (at < text.size() && text[at] != separator && text[at] != '\n' && text[at] != '\r')
        unquoted += text[at++];
      pieces.push_back({cells.size(), begin, unquoted.size() - begin});
      cells.emplace_back();
    } else {
      const std::size_t begin = at;
      while (at < text.size() && text[at] != separator && text[at] != '\n' && text[at] != '\r')
        ++at;
      cells.push_back(text.substr(begin, at - begin));
    }
    if (at < text.size() && text[at] == '\r') {  // of a line end, alone or before a newline
      if (at + 1 >= text.size()) return 0;
      at += text[at + 1] == '\n' ? 1 : 0;
      ++at;
      return finish();
    }
    if (at >= text.size()) return 0;
    if (text[at++] == '\n') return finish();
  }
}

namespace {

// The separator that the first line has most of, outside quotes.
char find_separator(std::string_view text) {
  constexpr std::string_view kSeparators = ",;\t";
  std::size_t counts[3] = {};
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\n' || c == '\r') break;
    if (const std::size_t i = kSeparators.find(c); i != std::string_view::npos) ++counts[i];
  }
  return kSeparators[static_cast<std::size_t>(std::max_element(counts, counts + 3) - counts)];
}

// 1,5 or -1,5e3 with a point instead; nothing else is touched.
void use_decimal_point(std::string_view cell, std::string* scratch, std::string_view* out) {
  const std::size_t comma = cell.find(',');
  if (comma == std::string_view::npos || cell.find_first_of(".,", comma + 1) != cell.npos) return;
  scratch->assign(cell);
  (*scratch)[comma] = '.';
  std::int64_t integer;
  double real;
  if (parse_number(without_blanks(*scratch), &integer, &real) != NumberText::None) *out = *scratch;
}

std::uint32_t offset(std::size_t at) { return static_cast<std::uint32_t>(at); }

// The quote that is never closed, in a record that has no end.
bool unclosed_quote(std::string_view text, std::size_t begin, DataError* error) {
  std::size_t open = begin;
  bool quoted = false;
  for (std::size_t at = begin; at < text.size(); ++at) {
    if (text[at] != '"') continue;
    if (!quoted) open = at;
    quoted = !quoted;
  }
  *error = {offset(open), offset(open + 1), "this quote is never closed",
            "quotes inside a quoted cell are doubled: \"\""};
  return false;
}

// Where the cells of a record begin and end in the text: cells have lost their quotes.
std::pair<std::uint32_t, std::uint32_t> cell_place(std::string_view text, std::size_t begin,
                                                   std::size_t end, std::size_t cell,
                                                   char separator) {
  bool quoted = false;
  std::size_t from = begin;
  std::size_t at = begin;
  for (; at < end; ++at) {
    const char c = text[at];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\n' || c == '\r') break;
    if (c != separator) continue;
    if (cell-- == 0) break;
    from = at + 1;
  }
  return {offset(from), offset(at)};
}

// Calls each(record number, begin, end, cells, separator) until it says false.
template <class Each>
bool for_each_record(std::string_view text, DataError* error, Each&& each) {
  std::size_t at = byte_order_mark(text);
  std::string ended;  // the text with a line end, if it has none
  if (!text.empty() && text.back() != '\n') {
    ended.assign(text);
    ended += '\n';
  }
  const std::string_view all = ended.empty() ? text : std::string_view(ended);
  const char separator = find_separator(all.substr(at));
  std::vector<std::string_view> cells;
  std::string unquoted;
  while (at < all.size()) {
    const std::size_t length = split_record(all.substr(at), cells, unquoted, separator);
    if (length == 0) return unclosed_quote(text, at, error);
    const bool empty = cells.size() == 1 && all[at] != '"' && without_blanks(cells[0]).empty();
    // The line end that was added is not a part of the text.
    const std::size_t end = std::min(at + length, text.size());
    if (!empty && !each(at, end, cells, separator)) return false;
    at += length;
  }
  return true;
}

bool read_cell(std::string_view text, std::string_view cell, std::size_t begin, std::size_t end,
               std::size_t index, char separator, Node* node, DataError* error) {
  std::string scratch;
  std::string_view number = cell;
  if (separator == ';') use_decimal_point(cell, &scratch, &number);
  node->begin = offset(begin);
  node->end = offset(begin);
  if (read_scalar(number, node)) return true;
  const auto [from, to] = cell_place(text, begin, end, index, separator);
  *error = {from, to, too_large_message(without_blanks(cell)), kTooLargeHint};
  return false;
}

}  // namespace

bool read_rows(std::string_view text, Table* table, DataError* error) {
  return for_each_record(text, error,
                         [&](std::size_t begin, std::size_t end,
                             const std::vector<std::string_view>& cells, char separator) {
                           table->rows.push_back(static_cast<std::uint32_t>(table->cells.size()));
                           for (std::size_t i = 0; i < cells.size(); ++i) {
                             Node& node = table->cells.emplace_back();
                             if (!read_cell(text, cells[i], begin, end, i, separator, &node, error))
                               return false;
                           }
                           return true;
                         });
}

bool read_columns(std::string_view text, Columns* columns, DataError* error) {
  bool header = true;
  const bool ok = for_each_record(
      text, error,
      [&](std::size_t begin, std::size_t end, const std::vector<std::string_view>& cells,
          char separator) {
        if (header) {
          header = false;
          std::unordered_set<std::string> seen;
          for (std::size_t i = 0; i < cells.size(); ++i) {
            std::string name(without_blanks(cells[i]));
            if (name.empty()) name = fmt::format("column{}", i + 1);
            if (!seen.insert(name).second) {
              const auto [from, to] = cell_place(text, begin, end, i, separator);
              *error = {from, to, fmt::format("there are two columns named {}", name), {}};
              return false;
            }
            columns->names.push_back(std::move(name));
          }
          columns->cells.resize(columns->names.size());
          return true;
        }
        if (cells.size() != columns->names.size()) {
          std::size_t line_end = std::min(end, text.size());
          while (line_end > begin && (text[line_end - 1] == '\n' || text[line_end - 1] == '\r'))
            --line_end;
          *error = {offset(begin), offset(line_end),
                    fmt::format("this row has {} cell{}, the header has {}", cells.size(),
                                cells.size() == 1 ? "" : "s", columns->names.size()),
                    "put quotes around a cell that has the separator in it"};
          return false;
        }
        for (std::size_t i = 0; i < cells.size(); ++i) {
          Node& node = columns->cells[i].emplace_back();
          if (!read_cell(text, cells[i], begin, end, i, separator, &node, error)) return false;
        }
        return true;
      });
  if (!ok) return false;
  if (!header) return true;
  *error = {0, 0, "the file has no header", "the first line names the columns"};
  return false;
}

}  // namespace chancel::data
