// SPDX-License-Identifier: Apache-2.0
#include "report/csv_writer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "base/double_text.hpp"
#include "report/json_text.hpp"
#include "report/shape.hpp"

namespace chancel::report {
namespace {

constexpr std::size_t kNoLabel = ~std::size_t{0};

std::string number_cell(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Inf" : "-Inf";
  return java_double_text(value);
}

std::string cell_of(const ValueView& value) {
  switch (value.kind()) {
    case ValueView::Kind::Real:
    case ValueView::Kind::Ratio:
      return number_cell(value.number());
    case ValueView::Kind::String:
      return value.text();
    default:
      return value.print();
  }
}

void append_quoted(std::string& out, const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) {
    out += cell;
    return;
  }
  out += '"';
  for (char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

bool is_collection(const ValueView& value) {
  switch (value.kind()) {
    case ValueView::Kind::Vector:
    case ValueView::Kind::List:
    case ValueView::Kind::Map:
      return true;
    default:
      return false;
  }
}

using Leaf = std::function<void(const std::string& path, const ValueView& value)>;

void visit_leaves(const ValueView& value, const std::string& path, std::size_t depth,
                  const Leaf& leaf) {
  const auto kind = value.kind();
  if (is_collection(value) && depth < Shape::kMaxDepth && value.size() > 0) {
    if (kind == ValueView::Kind::Vector || kind == ValueView::Kind::List) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        visit_leaves(value.at(i), fmt::format("{}[{}]", path, i), depth + 1, leaf);
      }
      return;
    }
    if (kind == ValueView::Kind::Map) {
      for (const auto& [key, part] : sorted_entries(value)) {
        visit_leaves(part, path + "[" + key + "]", depth + 1, leaf);
      }
      return;
    }
  }
  leaf(path, value);
}

}  // namespace

CsvWriter::Parts CsvWriter::take_apart(const ValueView& value) {
  Parts parts;
  if (!is_collection(value)) {
    parts.paths.emplace_back();
    parts.cells.push_back(cell_of(value));
    parts.whole = parts.cells.front();
    return parts;
  }
  parts.whole = value.print();
  visit_leaves(value, {}, 0, [&](const std::string& path, const ValueView& leaf) {
    parts.paths.push_back(path);
    parts.cells.push_back(cell_of(leaf));
  });
  return parts;
}

std::size_t CsvWriter::label_index(const std::string& name, bool add) {
  const auto found = index_.find(name);
  if (found != index_.end()) return found->second;
  if (!add) return kNoLabel;
  index_.emplace(name, labels_.size());
  labels_.push_back({name, {}, true});
  return labels_.size() - 1;
}

CsvWriter::HeldRow CsvWriter::row_of(const Draw& draw) {
  HeldRow row;
  row.head =
      fmt::format("{},{},{},{}", draw.index, draw.chain, draw.sweep, number_cell(draw.log_weight));
  const auto add = [&](const std::string& name, const ValueView& value) {
    const std::size_t at = label_index(name, !settled_);
    if (at == kNoLabel) {
      if (misfits_++ == 0) first_misfit_ = name;
      return;
    }
    row.values.emplace_back(at, take_apart(value));
  };
  for (const auto& [label, value] : draw.predicts) add(label_text(label), value);
  const bool by_result =
      draw.predicts.empty() && (labels_.empty() || labels_.front().name == ":result");
  if (by_result) add(":result", draw.result);
  return row;
}

void CsvWriter::draw(const Draw& draw) {
  HeldRow row = row_of(draw);
  if (settled_) return write(row);
  for (const auto& [at, parts] : row.values) {
    Label& label = labels_[at];
    if (label.paths.empty()) {
      label.paths = parts.paths;
    } else if (label.paths != parts.paths) {
      label.apart = false;
    }
  }
  held_.push_back(std::move(row));
  if (held_.size() >= kHeld) settle();
}

void CsvWriter::settle() {
  settled_ = true;
  std::string line = "index,chain,sweep,log_weight";
  for (Label& label : labels_) {
    if (!label.apart) label.paths = {""};
    for (const std::string& path : label.paths) {
      line += ',';
      append_quoted(line, label.name + path);
    }
  }
  output_(line + "\n");
  for (const HeldRow& row : held_) write(row);
  held_ = {};
}

void CsvWriter::write(const HeldRow& row) {
  std::string line = row.head;
  std::vector<const Parts*> by_label(labels_.size(), nullptr);
  for (const auto& [at, parts] : row.values) by_label[at] = &parts;
  for (std::size_t at = 0; at < labels_.size(); ++at) {
    const Label& label = labels_[at];
    const Parts* parts = by_label[at];
    if (parts != nullptr && label.apart && parts->paths != label.paths) {
      if (misfits_++ == 0) first_misfit_ = label.name;
      parts = nullptr;
    }
    for (std::size_t i = 0; i < label.paths.size(); ++i) {
      line += ',';
      if (parts != nullptr) append_quoted(line, label.apart ? parts->cells[i] : parts->whole);
    }
  }
  line += '\n';
  output_(line);
}

std::string CsvWriter::end() {
  if (!settled_) settle();
  if (misfits_ == 0) return {};
  return fmt::format(
      "{} value{} (the first of {}) found no column, because columns are settled by the first {} "
      "draws; "
      "--format ndjson has no columns",
      misfits_, misfits_ == 1 ? "" : "s", first_misfit_, kHeld);
}

}  // namespace chancel::report
