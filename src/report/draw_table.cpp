// SPDX-License-Identifier: Apache-2.0
#include "report/draw_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "chancel/run_directory.hpp"
#include "report/sampler_columns.hpp"

namespace chancel::report {
namespace {

constexpr std::size_t kMostMeanings = 1000;
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

struct Column {
  std::vector<double> numbers;
  std::map<std::string, std::size_t> codes;  // in order of appearance
  bool text = false;
  bool boolean = false;
  bool integer = true;
  bool too_many = false;

  void add(const ValueView& value, std::size_t row) {
    numbers.resize(row, kMissing);
    using Kind = ValueView::Kind;
    if (value.is_number() && !text) {
      integer = integer && value.kind() == Kind::Integer;
      numbers.push_back(value.number());
    } else if (value.kind() == Kind::Boolean && !text) {
      boolean = true;
      numbers.push_back(value.boolean() ? 1 : 0);
    } else {
      text = true;
      const std::string printed = value.kind() == Kind::String ? value.text() : value.print();
      const std::size_t code = codes.try_emplace(printed, codes.size()).first->second;
      too_many = too_many || codes.size() > kMostMeanings;
      numbers.push_back(static_cast<double>(code));
    }
  }
  // Codes in the order of the texts.
  std::vector<std::string> sort_codes() {
    std::vector<std::string> meanings;
    std::vector<double> order(codes.size());
    for (const auto& [text_of, code] : codes) {
      order[code] = static_cast<double>(meanings.size());
      meanings.push_back(text_of);
    }
    for (double& x : numbers)
      if (!std::isnan(x)) x = order[static_cast<std::size_t>(x)];
    return meanings;
  }
};

// ":m[:mu][2][3]" is the element 2, 3 of ":m[:mu]".
std::vector<std::size_t> split_indices(std::string& label) {
  std::vector<std::size_t> indices;
  while (label.size() > 3 && label.back() == ']') {
    const std::size_t open = label.rfind('[');
    if (open == std::string::npos || open == 0 || open + 2 > label.size() - 1) break;
    const std::string inside = label.substr(open + 1, label.size() - open - 2);
    if (inside.empty() || inside.find_first_not_of("0123456789") != std::string::npos) break;
    indices.insert(indices.begin(), std::stoul(inside));
    label.resize(open);
  }
  return indices;
}

}  // namespace

std::string identifier(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool plain =
        (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
    if (plain) {
      out += c;
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  if (out.empty() || (out[0] >= '0' && out[0] <= '9')) out.insert(0, "x");
  return out;
}

DrawTable read_draw_table(const std::string& directory) {
  DrawTable table;
  std::vector<std::string> labels;
  std::map<std::string, std::size_t> index;
  std::vector<Column> columns;
  std::map<std::uint32_t, std::vector<std::size_t>> chains;
  SamplerColumns sampler;
  DrawReader reader(directory);
  const auto add = [&](const std::string& label, const ValueView& value, std::size_t row) {
    const auto [found, is_new] = index.try_emplace(label, labels.size());
    if (is_new) {
      labels.push_back(label);
      columns.emplace_back();
    }
    columns[found->second].add(value, row);
  };
  // ndjson keeps whole values: take them apart as CSV does.
  const auto add_parts = [&](const auto& self, const std::string& label, const ValueView& value,
                             std::size_t row) -> void {
    if (value.kind() == ValueView::Kind::Vector && value.size() > 0) {
      std::size_t i = 0;
      for (const ValueView& item : value.items())
        self(self, fmt::format("{}[{}]", label, i++), item, row);
    } else if (value.kind() == ValueView::Kind::Map && value.size() > 0) {
      for (const auto& [key, item] : value.entries())
        self(self, fmt::format("{}[{}]", label, key.print()), item, row);
    } else {
      add(label, value, row);
    }
  };
  while (const Draw* draw = reader.next()) {
    const std::size_t row = table.log_weights.size();
    table.log_weights.push_back(draw->log_weight);
    if (row == 0)
      for (const SamplerColumn* c : sampler_columns_of(*draw)) {
        sampler.push_back(c);
        Variable& v = table.sampler.emplace_back();
        v.name = c->arviz;
        v.label = c->name;
        v.integer = c->integer;
        v.columns.emplace_back();
      }
    for (std::size_t i = 0; i < sampler.size(); ++i)
      table.sampler[i].columns[0].push_back(sampler[i]->get(*draw));
    chains[draw->chain].push_back(row);
    for (const auto& [label, value] : draw->predicts) add_parts(add_parts, label, value, row);
  }
  const std::size_t rows = table.log_weights.size();
  for (const double w : table.log_weights)
    table.weighted = table.weighted || std::fabs(w - table.log_weights[0]) > 1e-9;

  // Columns that are elements of one rectangular array become one variable; others stay alone.
  std::map<std::string, std::vector<std::pair<std::vector<std::size_t>, std::size_t>>> arrays;
  std::vector<std::string> order;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    std::string base = labels[i];
    const std::vector<std::size_t> at = split_indices(base);
    if (!arrays.contains(base)) order.push_back(base);
    arrays[base].emplace_back(at, i);
  }
  std::set<std::string> taken;
  const auto add_variable = [&](const std::string& label, std::vector<std::size_t> shape,
                                std::vector<std::size_t> from) {
    Variable v;
    v.label = label;
    v.name = identifier(label);
    while (!taken.insert(v.name).second) v.name += "_";
    v.shape = std::move(shape);
    for (const std::size_t i : from) {
      columns[i].numbers.resize(rows, kMissing);
      if (columns[i].too_many) {
        table.notes.push_back(
            fmt::format("{} is left out: it has more than {} different non-numeric values", label,
                        kMostMeanings));
        return;
      }
      if (columns[i].text) v.meanings = columns[i].sort_codes();
      v.integer = v.integer && columns[i].integer;
      v.columns.push_back(std::move(columns[i].numbers));
    }
    table.variables.push_back(std::move(v));
  };
  for (const std::string& base : order) {
    auto& parts = arrays[base];
    std::sort(parts.begin(), parts.end());
    std::vector<std::size_t> shape = parts.back().first;
    std::size_t volume = 1;
    bool array = !shape.empty();
    for (std::size_t& n : shape) volume *= ++n;
    for (const auto& [at, i] : parts)
      array = array && at.size() == shape.size() && !columns[i].text;
    std::vector<std::size_t> from;
    for (const auto& [at, i] : parts) from.push_back(i);
    if (array && volume == parts.size()) {
      add_variable(base, shape, from);
    } else {
      for (const std::size_t i : from) add_variable(labels[i], {}, {i});
    }
  }

  std::size_t shortest = ~std::size_t{0};
  for (const auto& [chain, all] : chains) shortest = std::min(shortest, all.size());
  for (auto& [chain, all] : chains) {
    if (all.size() > shortest && !table.weighted)
      table.notes.push_back(
          fmt::format("chain {} is cut to {} draws, the length of the shortest", chain, shortest));
    if (!table.weighted) all.resize(shortest);
    table.chains.push_back(std::move(all));
  }
  if (table.weighted && table.chains.size() > 1) {
    // The weights are of the whole run: one chain, in the order of the draws.
    table.chains.assign(1, {});
    for (std::size_t row = 0; row < rows; ++row) table.chains[0].push_back(row);
  }
  return table;
}

DrawTable equally_weighted(const DrawTable& table, std::uint64_t seed) {
  DrawTable out = table;
  if (!table.weighted) return out;
  double high = -std::numeric_limits<double>::infinity();
  for (const double w : table.log_weights) high = std::max(high, w);
  double total = 0;
  for (const double w : table.log_weights) total += std::exp(w - high);
  const std::vector<std::size_t>& rows = table.chains.front();
  // A number from the seed (splitmix64) shifts the comb.
  std::uint64_t z = seed + 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  const double shift = static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  const auto count = static_cast<double>(rows.size());
  std::vector<std::size_t> picked;
  double sum = 0;
  for (const std::size_t row : rows) {
    sum += std::exp(table.log_weights[row] - high);
    while (static_cast<double>(picked.size()) + shift < count * sum / total &&
           picked.size() < rows.size())
      picked.push_back(row);
  }
  while (picked.size() < rows.size() && !picked.empty())
    picked.push_back(picked.back());  // rounding
  out.chains.assign(1, std::move(picked));
  std::fill(out.log_weights.begin(), out.log_weights.end(), 0.0);
  out.weighted = false;
  return out;
}

}  // namespace chancel::report
