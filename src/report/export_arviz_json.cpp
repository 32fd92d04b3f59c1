// SPDX-License-Identifier: Apache-2.0
// What arviz.from_json reads: groups of variables as nested arrays (chain, draw, the variable's own
// dimensions). Not-a-number is NaN, as Python's json has it.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/arviz_groups.hpp"
#include "report/run_file.hpp"

namespace chancel::report {
namespace {

std::string number(double x, bool integer) {
  if (std::isnan(x)) return "NaN";
  if (std::isinf(x)) return x > 0 ? "Infinity" : "-Infinity";
  return integer ? fmt::format("{}", static_cast<std::int64_t>(x)) : fmt::format("{}", x);
}

// The elements from `first` on, nested by the dimensions from `depth` on.
void append_nested(std::string& out, const Variable& v, std::size_t row, std::size_t depth,
                   std::size_t first, std::size_t stride) {
  if (depth == v.shape.size()) {
    out += number(v.columns[first][row], v.integer);
    return;
  }
  stride /= v.shape[depth];
  out += '[';
  for (std::size_t i = 0; i < v.shape[depth]; ++i) {
    if (i > 0) out += ',';
    append_nested(out, v, row, depth + 1, first + i * stride, stride);
  }
  out += ']';
}

template <class Element>
void append_by_chain(std::string& out, const DrawTable& table, const Element& element) {
  out += '[';
  for (std::size_t c = 0; c < table.chains.size(); ++c) {
    out += c > 0 ? ",[" : "[";
    for (std::size_t i = 0; i < table.length(); ++i) {
      if (i > 0) out += ',';
      element(table.chains[c][i]);
    }
    out += ']';
  }
  out += ']';
}

}  // namespace

std::vector<std::string> export_arviz_json(const TabledRun& run, const TabledRun* prior,
                                           const std::string& stem) {
  using Json = nlohmann::ordered_json;
  std::string out, attributes;
  for (const ArvizGroup& group : arviz_groups(run, prior)) {
    out += fmt::format("{}\"{}\":{{", out.empty() ? "{" : ",", group.name);
    Json about = Json::object();
    const char* between = "";
    group.each([&](const Variable& v) {
      out += fmt::format("{}\"{}\":", between, v.name);
      append_by_chain(out, group.run->table,
                      [&](std::size_t row) { append_nested(out, v, row, 0, 0, v.elements()); });
      between = ",";
      if (!v.meanings.empty()) about["values_of_" + v.name] = v.meanings;
    });
    out += "}";
    if (group.main)
      for (const auto& [name, text] : arviz_attributes(group.run->run)) about[name] = text;
    if (!about.empty())
      attributes += fmt::format(",\"{}_attrs\":{}", group.name,
                                about.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  const std::vector<Variable> data = observed_data(run.run.description);
  for (const Variable& v : data) {
    out += fmt::format("{}\"{}\":", &v == data.data() ? ",\"observed_data\":{" : ",", v.name);
    append_nested(out, v, 0, 0, 0, v.elements());
  }
  if (!data.empty()) out += "}";
  replace_file(stem + ".json", out + attributes + "}\n");
  return {stem + ".json"};
}

}  // namespace chancel::report
