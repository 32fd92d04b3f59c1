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

namespace chancel {
namespace {

Value slurp(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string text;
  return read_file(cx, "slurp", a, &text) ? make_string(*cx.arena, text) : Value::nil();
}
Value same_path(NativeContext& cx, const Value* a, std::uint32_t) {
  return a[0].is(Tag::String) ? a[0] : cx.wrong_type("resource", 0, "a path", a[0]);
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

constexpr NativeDef kNatives[] = {
    {"time", 0, 0, time_native, kTopLevelOnly, "[]",
     "Seconds since the program first asked for the time (top level only)."},
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
