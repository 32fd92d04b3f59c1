// SPDX-License-Identifier: Apache-2.0
// Reading files, text and the clock: files at top level only, never inside a query. Tables (CSV)
// become a map of column vectors, JSON objects become maps with keyword keys.
#include <fmt/format.h>

#include <chrono>

#include "data/csv.hpp"
#include "data/json.hpp"
#include "data/values.hpp"
#include "library/arguments.hpp"
#include "library/host.hpp"
#include "library/registry.hpp"
#include "value/record.hpp"

namespace chancel {
namespace {

bool is_reader(const Value& v);
Value slurp(NativeContext& cx, const Value* a, std::uint32_t) {
  if (is_reader(a[0])) return a[0].as<Record>()->fields[1];
  std::string text;
  return read_file(cx, "slurp", a, &text) ? make_string(*cx.arena, text) : Value::nil();
}
// --- readers: a file that is read already ---
const RecordType& reader_type() {
  static const RecordType type = [] {
    RecordType t;
    t.name = intern("reader");
    t.kind = RecordKind::Host;
    t.class_name = "java.io.BufferedReader";
    t.fields = {intern("path"), intern("text")};
    t.parameter_count = 2;
    return t;
  }();
  return type;
}
bool is_reader(const Value& v) {
  return v.is(Tag::Record) && v.as<Record>()->type == &reader_type();
}
Value make_reader(NativeContext& cx, const Value& path, const Value& text) {
  auto* r = cx.arena->make<Record>(Tag::Record, bytes_with<Record>(2));
  r->type = &reader_type();
  r->fields[0] = path;
  r->fields[1] = text;
  return Value::object(r);
}
Value reader(NativeContext& cx, const Value* a, std::uint32_t) {
  if (is_reader(a[0])) return a[0];
  std::string text;
  if (!read_file(cx, "reader", a, &text)) return Value::nil();
  return make_reader(cx, a[0], make_string(*cx.arena, text));
}
Value string_reader(NativeContext& cx, const Value* a, std::uint32_t) {
  return a[0].is(Tag::String) ? make_reader(cx, Value::nil(), a[0])
                              : cx.wrong_type("StringReader.", 0, "a string", a[0]);
}
// The text of a reader, or a text itself.
Value reader_text(NativeContext& cx, const Value* a, std::uint32_t) {
  if (is_reader(a[0])) return a[0].as<Record>()->fields[1];
  return a[0].is(Tag::String) ? a[0] : cx.wrong_type("line-seq", 0, "a reader", a[0]);
}
// The lines without their ends; none after a last line end.
Value text_lines(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view left;
  if (!read_string(cx, "line-seq", a, 0, &left)) return Value::nil();
  std::vector<Value> lines;
  while (!left.empty()) {
    const std::size_t end = std::min(left.find_first_of("\r\n"), left.size());
    cx.tick(1 + end / 64);
    push_within_limits(cx, lines, make_string(*cx.arena, left.substr(0, end)));
    left.remove_prefix(end);
    left.remove_prefix(left.starts_with("\r\n") ? 2 : left.empty() ? 0 : 1);
  }
  return list_of(cx, lines);
}
// clojure.data.csv/read-csv: rows of strings, of a text or a reader. (Cells mean nothing here;
// read-csv of a path is another function.)
Value csv_text(NativeContext& cx, const Value* a, std::uint32_t n) {
  const Value source = is_reader(a[0]) ? a[0].as<Record>()->fields[1] : a[0];
  if (!source.is(Tag::String)) return cx.wrong_type("read-csv", 0, "a reader or a string", a[0]);
  char separator = ',';
  for (std::uint32_t i = 1; i + 1 < n; i += 2)
    if (a[i].is(Tag::Keyword) && a[i].name->full == "separator" && a[i + 1].is(Tag::Char))
      separator = static_cast<char>(a[i + 1].i);
  std::string text(string_view_of(source));
  if (!text.empty() && text.back() != '\n') text += '\n';
  std::vector<Value> rows;
  std::vector<std::string_view> cells;
  std::string unquoted;
  for (std::string_view left = text; !left.empty();) {
    const std::size_t length = data::split_record(left, cells, unquoted, separator);
    if (length == 0)
      return cx.fail(Code::U003,
                     fmt::format("read-csv: line {}: a quoted cell has no end",
                                 data::line_of(text, text.size() - left.size())),
                     0);
    cx.tick(1 + length / 64);
    std::vector<Value> row;
    for (const std::string_view cell : cells) row.push_back(make_string(*cx.arena, cell));
    push_within_limits(cx, rows, vector_of(cx, row));
    left.remove_prefix(length);
  }
  return list_of(cx, rows);
}

// What is wrong with a data file or text; the place is a line of the file.
Value bad_data(NativeContext& cx, const char* function, std::string_view path,
               std::string_view text, const data::DataError& error) {
  return cx.fail(
      Code::U003,
      fmt::format("{}: {}line {}: {}", function, path.empty() ? "" : fmt::format("{}, ", path),
                  data::line_of(text, error.begin), error.message),
      0, error.hint);
}
Value read_csv(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string text;
  if (!read_file(cx, "read-csv", a, &text)) return Value::nil();
  data::Columns columns;
  data::DataError error;
  if (!data::read_columns(text, &columns, &error))
    return bad_data(cx, "read-csv", string_view_of(a[0]), text, error);
  return data::to_value(columns, *cx.arena);
}
Value read_csv_rows(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string text;
  if (!read_file(cx, "read-csv-rows", a, &text)) return Value::nil();
  data::Table table;
  data::DataError error;
  if (!data::read_rows(text, &table, &error))
    return bad_data(cx, "read-csv-rows", string_view_of(a[0]), text, error);
  return data::to_value(table, *cx.arena);
}
Value parse_json(NativeContext& cx, const char* function, std::string_view path,
                 std::string_view text) {
  data::Document document;
  data::DataError error;
  if (!data::read_json(text, &document, &error)) return bad_data(cx, function, path, text, error);
  return data::to_value(document, *cx.arena);
}
Value read_json(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string text;
  return read_file(cx, "read-json", a, &text)
             ? parse_json(cx, "read-json", string_view_of(a[0]), text)
             : Value::nil();
}
Value parse_json_native(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view text;
  return read_string(cx, "parse-json", a, 0, &text) ? parse_json(cx, "parse-json", "", text)
                                                    : Value::nil();
}

Value read_form(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view text;
  if (!read_string(cx, "read-string", a, 0, &text)) return Value::nil();
  if (!cx.run || !cx.run->host->read_form)
    return cx.fail(Code::R009, "read-string: this run cannot read forms");
  return cx.run->host->read_form(cx, text);
}

// --- the clock ---
double milliseconds_since_start() {
  using Clock = std::chrono::steady_clock;
  static const Clock::time_point start = Clock::now();
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}
// The clock gives something else each time: inside a query a seed would no longer fix the draws.
bool may_ask_clock(NativeContext& cx, const char* function) {
  if (cx.in_query)
    cx.fail(Code::F010, fmt::format("{}: the clock cannot be read inside a query", function), -1,
            "read it at top level, before or after the query");
  return cx.ok();
}
Value time_native(NativeContext& cx, const Value*, std::uint32_t) {
  return may_ask_clock(cx, "time") ? Value::real(milliseconds_since_start() / 1000) : Value::nil();
}
Value nano_time(NativeContext& cx, const Value*, std::uint32_t) {
  if (!may_ask_clock(cx, "System/nanoTime")) return Value::nil();
  return Value::integer(static_cast<std::int64_t>(milliseconds_since_start() * 1e6));
}
Value current_time(NativeContext& cx, const Value*, std::uint32_t) {
  if (!may_ask_clock(cx, "System/currentTimeMillis")) return Value::nil();
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return Value::integer(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

constexpr NativeDef kIoNatives[] = {
    {"time", 0, 0, time_native, kTopLevelOnly, "[]",
     "Seconds since the program first asked for the time (top level only)."},
    {"System/nanoTime", 0, 0, nano_time, kTopLevelOnly, "[]",
     "Nanoseconds since some point in time (top level only)."},
    {"System/currentTimeMillis", 0, 0, current_time, kTopLevelOnly, "[]",
     "Milliseconds since 1970 (top level only)."},
    {"slurp", 1, -1, slurp, kTopLevelOnly, "[path & options]",
     "The text of a file or of a reader (top level only)."},
    {"%reader", 1, -1, reader, kTopLevelOnly, "[path & options]",
     "A reader of a file (top level only)."},
    {"%string-reader", 1, 1, string_reader, kPure, "[s]", "A reader of a text."},
    {"%reader-text", 1, 1, reader_text, kPure, "[reader]", "The text of a reader."},
    {"%text-lines", 1, 1, text_lines, kPure, "[s]", "The lines of a text as a list."},
    {"%read-csv-text", 1, -1, csv_text, kPure, "[reader-or-text & options]",
     "Rows of strings from CSV."},
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

std::span<const NativeDef> io_natives() { return kIoNatives; }

}  // namespace chancel
