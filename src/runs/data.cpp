// SPDX-License-Identifier: Apache-2.0
#include "runs/data.hpp"

#include <algorithm>

#include "data/csv.hpp"
#include "data/json.hpp"
#include "data/values.hpp"
#include "session/host_values.hpp"

namespace chancel {

namespace {

enum class Format { Edn, Json, Csv };

// By the ending, with .gz and the like left alone: data that is piped in has none.
std::optional<Format> format_of(const std::string& file_name, std::string_view text) {
  const std::size_t dot = file_name.find_last_of("./");
  std::string ending = dot == std::string::npos ? "" : file_name.substr(dot);
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".edn" || ending == ".clj") return Format::Edn;
  if (ending == ".json") return Format::Json;
  if (ending == ".csv" || ending == ".tsv") return Format::Csv;
  if (file_name != "-" && file_name != "<stdin>") return std::nullopt;
  const std::size_t first = text.find_first_not_of(" \t\r\n", data::byte_order_mark(text));
  if (first == std::string_view::npos || (text[first] != '{' && text[first] != '['))
    return Format::Csv;
  const std::size_t second = text.find_first_not_of(" \t\r\n{[", first);
  return second != std::string_view::npos && text[second] == ':' ? Format::Edn : Format::Json;
}

}  // namespace

std::optional<Value> read_data(Session& session, const std::string& file_name,
                               const std::string& text) {
  const std::optional<Format> format = format_of(file_name, text);
  if (!format) {
    session.diagnostics().error(Code::U003, {}, file_name + ": unknown kind of data file",
                                "name it .json, .edn, .csv or .tsv");
    return std::nullopt;
  }
  if (*format == Format::Edn) return read_value(session, text, file_name);
  Arena& arena = session.machine().arena();
  data::DataError error;
  if (*format == Format::Json) {
    data::Document document;
    if (data::read_json(text, &document, &error)) return data::to_value(document, arena);
  } else {
    data::Columns columns;
    if (data::read_columns(text, &columns, &error)) return data::to_value(columns, arena);
  }
  const std::uint32_t file = session.program()->sources.add(file_name, text);
  session.diagnostics().error(Code::U003, {file, error.begin, error.end}, std::move(error.message),
                              std::move(error.hint));
  return std::nullopt;
}

}  // namespace chancel
