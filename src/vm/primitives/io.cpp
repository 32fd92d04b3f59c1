// SPDX-License-Identifier: Apache-2.0
// Reading files, text and the clock: files at top level only, never inside a query. Tables (CSV)
// become a map of column vectors, JSON objects become maps with keyword keys.
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <nlohmann/json.hpp>

#include "vm/primitives/arguments.hpp"
#include "vm/primitives/host.hpp"
#include "vm/primitives/registry.hpp"

namespace chancel {
namespace {

bool read_text(NativeContext& cx, const char* function, const Value* a, std::string* text) {
  if (cx.in_query) {
    cx.fail(Code::F010, fmt::format("{}: files cannot be read inside a query", function), -1,
            "read the file at top level and pass the data in");
    return false;
  }
  std::string_view path;
  if (!read_string(cx, function, a, 0, &path)) return false;
  std::string error;
  const auto host = current_host();
  if (host->read_file && host->read_file(path, text, &error)) return true;
  cx.fail(Code::U002, fmt::format("{}: cannot read {}: {}", function, path, error), 0);
  return false;
}
Value slurp(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string text;
  return read_text(cx, "slurp", a, &text) ? make_string(*cx.arena, text) : Value::nil();
}
Value same_path(NativeContext& cx, const Value* a, std::uint32_t) {
  return a[0].is(Tag::String) ? a[0] : cx.wrong_type("resource", 0, "a path", a[0]);
}

// --- CSV (RFC 4180) ---
using Row = std::vector<std::string>;
bool parse_csv(std::string_view text, std::vector<Row>* rows, std::string* error) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  std::size_t i = 0;
  while (i < text.size()) {
    Row row;
    std::string cell;
    for (bool in_row = true; in_row;) {
      cell.clear();
      if (i < text.size() && text[i] == '"') {
        ++i;
        while (true) {
          if (i >= text.size()) {
            *error = fmt::format("row {}: a quoted cell has no end", rows->size() + 1);
            return false;
          }
          if (text[i] == '"') {
            if (i + 1 < text.size() && text[i + 1] == '"')
              ++i;
            else
              break;
          }
          cell += text[i++];
        }
        ++i;
      }
      while (i < text.size() && text[i] != ',' && text[i] != '\n' && text[i] != '\r')
        cell += text[i++];
      row.push_back(cell);
      in_row = i < text.size() && text[i] == ',';
      if (in_row) ++i;
    }
    while (i < text.size() && text[i] == '\r') ++i;
    if (i < text.size() && text[i] == '\n') ++i;
    if (row.size() > 1 || !row[0].empty()) rows->push_back(std::move(row));
  }
  return true;
}
std::string_view without_spaces(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}
// Numbers and booleans are recognised; an empty cell is nil.
Value cell_value(NativeContext& cx, std::string_view cell) {
  const std::string_view s = without_spaces(cell);
  if (s.empty()) return Value::nil();
  const char* first = s.data() + (s.size() > 1 && s[0] == '+' ? 1 : 0);
  const char* last = s.data() + s.size();
  std::int64_t i = 0;
  auto parsed = std::from_chars(first, last, i);
  if (parsed.ec == std::errc() && parsed.ptr == last) return Value::integer(i);
  double d = 0;
  parsed = std::from_chars(first, last, d);
  if (parsed.ec == std::errc() && parsed.ptr == last) return Value::real(d);
  if (s == "true" || s == "false") return Value::boolean(s == "true");
  return make_string(*cx.arena, cell);
}
Value csv_rows(NativeContext& cx, const char* function, const Value* a, std::vector<Row>* rows) {
  std::string text;
  std::string error;
  if (!read_text(cx, function, a, &text)) return Value::nil();
  if (!parse_csv(text, rows, &error))
    cx.fail(Code::U003, fmt::format("{}: {}: {}", function, show(a[0], false), error), 0);
  return Value::nil();
}
Value read_csv(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Row> rows;
  csv_rows(cx, "read-csv", a, &rows);
  if (!cx.ok()) return Value::nil();
  if (rows.empty()) return empty_map(*cx.arena);
  std::vector<std::vector<Value>> columns(rows[0].size());
  for (std::size_t r = 1; r < rows.size(); ++r) {
    if (rows[r].size() != columns.size()) {
      return cx.fail(Code::U003,
                     fmt::format("read-csv: {}: row {} has {} cells, expected {}",
                                 show(a[0], false), r + 1, rows[r].size(), columns.size()),
                     0);
    }
    for (std::size_t c = 0; c < columns.size(); ++c)
      columns[c].push_back(cell_value(cx, rows[r][c]));
  }
  Value map = empty_map(*cx.arena);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    map = map_assoc(*cx.arena, map, keyword_of(without_spaces(rows[0][c])),
                    vector_of(cx, columns[c]));
  }
  return map;
}
Value read_csv_rows(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Row> rows;
  csv_rows(cx, "read-csv-rows", a, &rows);
  if (!cx.ok()) return Value::nil();
  std::vector<Value> values;
  for (const Row& row : rows) {
    std::vector<Value> cells;
    for (const std::string& cell : row) cells.push_back(cell_value(cx, cell));
    values.push_back(vector_of(cx, cells));
  }
  return vector_of(cx, values);
}

// --- JSON ---
// Builds values while the text is read; an explicit stack, so that deep nesting cannot overflow
// ours.
class JsonBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit JsonBuilder(NativeContext& cx) : cx_(cx) {}
  Value result = Value::nil();
  std::string error;

  bool null() override { return put(Value::nil()); }
  bool boolean(bool b) override { return put(Value::boolean(b)); }
  bool number_integer(number_integer_t n) override { return put(Value::integer(n)); }
  bool number_unsigned(number_unsigned_t n) override {
    return put(n <= static_cast<number_unsigned_t>(INT64_MAX)
                   ? Value::integer(static_cast<std::int64_t>(n))
                   : Value::real(static_cast<double>(n)));
  }
  bool number_float(number_float_t n, const string_t&) override { return put(Value::real(n)); }
  bool string(string_t& s) override { return put(make_string(*cx_.arena, s)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(); }
  bool key(string_t& name) override { return put(keyword_of(name)); }
  bool end_object() override {
    const std::vector<Value> items = close();
    Value map = empty_map(*cx_.arena);
    for (std::size_t i = 0; i + 1 < items.size(); i += 2)
      map = map_assoc(*cx_.arena, map, items[i], items[i + 1]);
    return put(map);
  }
  bool start_array(std::size_t) override { return open(); }
  bool end_array() override { return put(vector_of(cx_, close())); }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception& e) override {
    const std::string what = e.what();
    const std::size_t colon = what.find(": ");
    error = fmt::format("at byte {}: {}", position,
                        colon == std::string::npos ? what : what.substr(colon + 2));
    return false;
  }

 private:
  bool open() {
    open_.emplace_back();
    return true;
  }
  std::vector<Value> close() {
    std::vector<Value> items = std::move(open_.back());
    open_.pop_back();
    return items;
  }
  bool put(const Value& v) {
    if (open_.empty())
      result = v;
    else
      open_.back().push_back(v);
    return true;
  }
  NativeContext& cx_;
  std::vector<std::vector<Value>> open_;
};
Value parse_json(NativeContext& cx, const char* function, std::string_view text) {
  JsonBuilder builder(cx);
  if (nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return builder.result;
  return cx.fail(Code::U003, fmt::format("{}: the JSON is malformed {}", function, builder.error),
                 0);
}
Value read_json(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string text;
  return read_text(cx, "read-json", a, &text) ? parse_json(cx, "read-json", text) : Value::nil();
}
Value parse_json_native(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view text;
  return read_string(cx, "parse-json", a, 0, &text) ? parse_json(cx, "parse-json", text)
                                                    : Value::nil();
}

Value read_form(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view text;
  if (!read_string(cx, "read-string", a, 0, &text)) return Value::nil();
  const auto host = current_host();
  if (!host->read_form) return cx.fail(Code::R009, "read-string: this host cannot read forms");
  return host->read_form(cx, text);
}

// --- the clock ---
double milliseconds_since_start() {
  using Clock = std::chrono::steady_clock;
  static const Clock::time_point start = Clock::now();
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}
Value time_native(NativeContext&, const Value*, std::uint32_t) {
  return Value::real(milliseconds_since_start() / 1000);
}
Value nano_time(NativeContext&, const Value*, std::uint32_t) {
  return Value::integer(static_cast<std::int64_t>(milliseconds_since_start() * 1e6));
}
Value current_time(NativeContext&, const Value*, std::uint32_t) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return Value::integer(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

constexpr NativeDef kNatives[] = {
    {"time", 0, 0, time_native, 0, "[]", "Seconds since the program first asked for the time."},
    {"System/nanoTime", 0, 0, nano_time, kTopLevelOnly, "[]",
     "Nanoseconds since some point in time (top level only)."},
    {"System/currentTimeMillis", 0, 0, current_time, kTopLevelOnly, "[]",
     "Milliseconds since 1970 (top level only)."},
    {"slurp", 1, 1, slurp, kTopLevelOnly, "[path]", "The text of a file (top level only)."},
    {"resource", 1, 1, same_path, kPure, "[path]", "The path itself: resources are files."},
    {"read-csv", 1, 1, read_csv, kTopLevelOnly, "[path]",
     "A CSV file with a header row as a map of keywords to column vectors (top level only)."},
    {"read-csv-rows", 1, 1, read_csv_rows, kTopLevelOnly, "[path]",
     "All rows of a CSV file as a vector of vectors (top level only)."},
    {"read-json", 1, 1, read_json, kTopLevelOnly, "[path]",
     "The data of a JSON file; keys of objects become keywords (top level only)."},
    {"parse-json", 1, 1, parse_json_native, kPure, "[s]",
     "The data of a JSON text; keys of objects become keywords."},
    {"read-string", 1, 1, read_form, kPure, "[s]", "The first form in the string, as data."},
};

}  // namespace

std::span<const NativeDef> io_natives() { return kNatives; }

}  // namespace chancel
