// SPDX-License-Identifier: Apache-2.0
// Reading data: see data.hpp.
#include "api/data.hpp"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "value/collections.hpp"
#include "value/print.hpp"

namespace chancel {

namespace {

using nlohmann::json;

Value from_json(Arena& arena, const json& j) {
  switch (j.type()) {
    case json::value_t::boolean:
      return Value::boolean(j.get<bool>());
    case json::value_t::number_integer:
      return Value::integer(j.get<std::int64_t>());
    case json::value_t::number_unsigned: {
      const auto u = j.get<std::uint64_t>();
      return u > INT64_MAX ? Value::real(static_cast<double>(u))
                           : Value::integer(static_cast<std::int64_t>(u));
    }
    case json::value_t::number_float:
      return Value::real(j.get<double>());
    case json::value_t::string:
      return make_string(arena, j.get_ref<const std::string&>());
    case json::value_t::array: {
      std::vector<Value> items;
      items.reserve(j.size());
      for (const json& item : j) items.push_back(from_json(arena, item));
      return make_vector(arena, items.data(), items.size());
    }
    case json::value_t::object: {
      Value map = empty_map(arena);
      for (const auto& [key, item] : j.items())
        map = map_assoc(arena, map, Value::keyword(intern(key)), from_json(arena, item));
      return map;
    }
    default:
      return Value::nil();
  }
}

std::optional<Value> read_json(Session& session, std::uint32_t file, const std::string& text) {
  try {
    return from_json(session.machine().arena(), json::parse(text));
  } catch (const json::parse_error& e) {
    const auto at = static_cast<std::uint32_t>(e.byte > 0 ? e.byte - 1 : 0);
    session.diagnostics().error(Code::U003, {file, at, at + 1}, "this is not valid JSON",
                                "check quotes, commas and brackets");
    return std::nullopt;
  }
}

// One CSV record from `at` on; quotes double inside quotes. False at the end of the text.
bool csv_record(const std::string& text, std::size_t& at, std::vector<std::string>& fields,
                std::vector<std::size_t>& starts) {
  fields.clear();
  starts.clear();
  if (at >= text.size()) return false;
  std::string field;
  std::size_t start = at;
  bool quoted = false;
  for (;; ++at) {
    if (at >= text.size() || (!quoted && (text[at] == '\n' || text[at] == ','))) {
      if (!field.empty() && field.back() == '\r') field.pop_back();
      fields.push_back(std::move(field));
      starts.push_back(start);
      field.clear();
      start = at + 1;
      if (at >= text.size()) return true;
      if (text[at] == '\n') {
        ++at;
        return true;
      }
    } else if (text[at] == '"') {
      if (quoted && at + 1 < text.size() && text[at + 1] == '"') {
        field += '"';
        ++at;
      } else {
        quoted = !quoted;
      }
    } else {
      field += text[at];
    }
  }
}

Value csv_value(Arena& arena, const std::string& field) {
  std::string_view s = field;
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  if (s.empty() || s == "NA") return Value::nil();
  std::int64_t i;
  if (const auto r = std::from_chars(s.data(), s.data() + s.size(), i);
      r.ec == std::errc{} && r.ptr == s.data() + s.size())
    return Value::integer(i);
  double d;
  if (const auto r = std::from_chars(s.data(), s.data() + s.size(), d);
      r.ec == std::errc{} && r.ptr == s.data() + s.size())
    return Value::real(d);
  if (s == "true" || s == "TRUE") return Value::boolean(true);
  if (s == "false" || s == "FALSE") return Value::boolean(false);
  return make_string(arena, s);
}

std::optional<Value> read_csv(Session& session, std::uint32_t file, const std::string& text) {
  Arena& arena = session.machine().arena();
  std::size_t at = 0;
  std::vector<std::string> header, fields;
  std::vector<std::size_t> starts;
  if (!csv_record(text, at, header, starts) || header.empty()) {
    session.diagnostics().error(Code::U003, {file, 0, 0}, "the CSV file has no header",
                                "the first line names the columns");
    return std::nullopt;
  }
  std::vector<std::vector<Value>> columns(header.size());
  while (true) {
    const std::size_t line = at;
    if (!csv_record(text, at, fields, starts)) break;
    if (fields.size() == 1 && fields[0].empty()) continue;
    if (fields.size() != header.size()) {
      session.diagnostics().error(
          Code::U003, {file, static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(at)},
          fmt::format("this row has {} fields, the header has {}", fields.size(), header.size()));
      return std::nullopt;
    }
    for (std::size_t c = 0; c < fields.size(); ++c)
      columns[c].push_back(csv_value(arena, fields[c]));
  }
  Value map = empty_map(arena);
  for (std::size_t c = 0; c < header.size(); ++c)
    map = map_assoc(arena, map, Value::keyword(intern(header[c])),
                    make_vector(arena, columns[c].data(), columns[c].size()));
  return map;
}

bool ends_with(const std::string& s, std::string_view end) {
  return s.size() >= end.size() && s.compare(s.size() - end.size(), end.size(), end) == 0;
}

std::string name_of(const Value& key) {
  if (key.is(Tag::Keyword) || key.is(Tag::Symbol)) return key.name->full;
  if (key.is(Tag::String)) return std::string(string_view_of(key));
  return show(key);
}

}  // namespace

std::optional<Value> read_data(Session& session, const std::string& file_name,
                               const std::string& text) {
  if (ends_with(file_name, ".edn") || ends_with(file_name, ".clj"))
    return session.read_value(text, file_name);
  const std::uint32_t file = session.program()->sources.add(file_name, text);
  if (ends_with(file_name, ".json")) return read_json(session, file, text);
  if (ends_with(file_name, ".csv")) return read_csv(session, file, text);
  session.diagnostics().error(Code::U003, {},
                              fmt::format("{}: unknown kind of data file", file_name),
                              "name it .json, .edn or .csv");
  return std::nullopt;
}

std::optional<Value> bind_names(Session& session, const QuerySignature& query, const Value& map) {
  std::string expected;
  for (const QueryParameter& p : query.parameters)
    expected += (expected.empty() ? "" : ", ") + p.name;
  std::vector<Value> values(query.parameters.size(), Value::nil());
  std::vector<bool> given(query.parameters.size(), false);
  bool ok = true;
  map_each(map, [&](const Value& key, const Value& value) {
    const std::string name = name_of(key);
    for (std::size_t i = 0; i < query.parameters.size(); ++i)
      if (query.parameters[i].name == name) {
        values[i] = value;
        given[i] = true;
        return;
      }
    ok = false;
    session.diagnostics().error(
        Code::U003, {},
        fmt::format("the data has {}, which the query {} does not take", name, query.name->full),
        expected.empty() ? "the query takes no data" : "it takes " + expected);
  });
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!given[i] && !query.parameters[i].rest) {
      ok = false;
      session.diagnostics().error(Code::U003, {},
                                  fmt::format("the data has no {}, which the query {} needs",
                                              query.parameters[i].name, query.name->full),
                                  "it takes " + expected);
    }
  if (!ok) return std::nullopt;
  return make_vector(session.machine().arena(), values.data(), values.size());
}

}  // namespace chancel
