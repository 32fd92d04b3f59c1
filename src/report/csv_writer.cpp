// SPDX-License-Identifier: Apache-2.0
#include "report/csv_writer.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "report/csv_text.hpp"
#include "report/json_text.hpp"
#include "report/shape.hpp"

namespace chancel::report {
namespace {

using Kind = ValueView::Kind;
constexpr std::size_t kNoLabel = ~std::size_t{0};

bool is_sequence(Kind kind) { return kind == Kind::Vector || kind == Kind::List; }
bool is_collection(Kind kind) { return is_sequence(kind) || kind == Kind::Map; }

void append_head(std::string& line, const Draw& draw, const SamplerColumns& columns) {
  append_integer(line, static_cast<std::int64_t>(draw.index));
  line += ',';
  append_integer(line, draw.chain);
  line += ',';
  append_integer(line, static_cast<std::int64_t>(draw.sweep));
  line += ',';
  append_number_cell(line, draw.log_weight);
  for (const SamplerColumn* column : columns) {
    line += ',';
    const double x = column->get(draw);
    if (column->integer && !std::isnan(x))
      append_integer(line, static_cast<std::int64_t>(x));
    else
      append_number_cell(line, x);
  }
}

}  // namespace

CsvWriter::Layout CsvWriter::layout_of(const ValueView& value, std::size_t depth) {
  Layout layout;
  const Kind kind = value.kind();
  if (!is_collection(kind) || depth >= Shape::kMaxDepth || value.size() == 0) return layout;
  layout.map = kind == Kind::Map;
  layout.leaves = 0;
  const auto add = [&](const ValueView& part) {
    layout.parts.push_back(layout_of(part, depth + 1));
    layout.leaves += layout.parts.back().leaves;
  };
  if (layout.map) {
    for (const auto& [key, part] : sorted_entries(value)) {
      layout.keys.push_back(key);
      add(part);
    }
  } else {
    for (const ValueView& part : value.items()) add(part);
  }
  return layout;
}

bool CsvWriter::append_parts(std::string& line, const Layout& layout, const ValueView& value) {
  const Kind kind = value.kind();
  if (layout.parts.empty()) {
    // An empty collection is a leaf, and fits nothing but another one.
    line += ',';
    append_cell(line, value);
    return !is_collection(kind) || value.size() == 0;
  }
  if (layout.map) {
    if (kind != Kind::Map || value.size() != layout.parts.size()) return false;
    const auto entries = sorted_entries(value);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].first != layout.keys[i]) return false;
      if (!append_parts(line, layout.parts[i], entries[i].second)) return false;
    }
    return true;
  }
  if (!is_sequence(kind) || value.size() != layout.parts.size()) return false;
  std::size_t i = 0;
  for (const ValueView& part : value.items()) {
    if (!append_parts(line, layout.parts[i++], part)) return false;
  }
  return true;
}

void CsvWriter::append_names(std::string& line, const std::string& name, const Layout& layout) {
  if (layout.parts.empty()) {
    line += ',';
    append_text_cell(line, name);
    return;
  }
  for (std::size_t i = 0; i < layout.parts.size(); ++i) {
    append_names(line, name + "[" + (layout.map ? layout.keys[i] : std::to_string(i)) + "]",
                 layout.parts[i]);
  }
}

std::size_t CsvWriter::label_at(const std::string& printed, std::size_t position, bool add) {
  if (position < labels_.size() && labels_[position].printed == printed) return position;
  const auto found = index_.find(printed);
  if (found != index_.end()) return found->second;
  if (!add) return kNoLabel;
  index_.emplace(printed, labels_.size());
  labels_.push_back({printed, label_text(printed), {}, true});
  return labels_.size() - 1;
}

// A query that predicts nothing speaks by its value.
template <class Visit>
void CsvWriter::each_value(const Draw& draw, const Visit& visit) {
  static const std::string kResult = ":result";
  for (std::size_t i = 0; i < draw.predicts.size(); ++i)
    visit(draw.predicts[i].label, i, draw.predicts[i].value);
  if (draw.predicts.empty() && (labels_.empty() || labels_.front().name == kResult))
    visit(kResult, 0, draw.result);
}

void CsvWriter::draw(const Draw& draw) {
  if (columns_fixed_) return write(draw);
  hold(draw);
  if (held_.size() >= kHeld) fix_columns();
}

void CsvWriter::hold(const Draw& draw) {
  HeldRow row;
  if (held_.empty()) sampler_ = sampler_columns_of(draw);
  append_head(row.head, draw, sampler_);
  each_value(draw, [&](const std::string& printed, std::size_t position, const ValueView& value) {
    const std::size_t known = labels_.size();
    const std::size_t at = label_at(printed, position, true);
    Label& label = labels_[at];
    if (at == known) label.layout = layout_of(value, 0);
    HeldRow::Cell cell{at, {}, {}};
    cell.whole = ",";
    append_cell(cell.whole, value);
    label.apart = label.apart && append_parts(cell.parts, label.layout, value);
    row.cells.push_back(std::move(cell));
  });
  held_.push_back(std::move(row));
}

void CsvWriter::fix_columns() {
  columns_fixed_ = true;
  line_ = "index,chain,sweep,log_weight";
  for (const SamplerColumn* column : sampler_) line_ += fmt::format(",{}", column->name);
  for (Label& label : labels_) {
    if (!label.apart) label.layout = {};
    append_names(line_, label.name, label.layout);
  }
  line_ += '\n';
  output_(line_);
  std::vector<const HeldRow::Cell*> cells;
  for (const HeldRow& row : held_) {
    cells.assign(labels_.size(), nullptr);
    for (const HeldRow::Cell& cell : row.cells) cells[cell.label] = &cell;
    line_ = row.head;
    for (std::size_t at = 0; at < labels_.size(); ++at) {
      if (cells[at] == nullptr) {
        line_.append(labels_[at].layout.leaves, ',');
      } else {
        line_ += labels_[at].apart ? cells[at]->parts : cells[at]->whole;
      }
    }
    line_ += '\n';
    output_(line_);
  }
  held_ = {};
}

void CsvWriter::place(const Draw& draw) {
  row_.assign(labels_.size(), nullptr);
  each_value(draw, [&](const std::string& printed, std::size_t position, const ValueView& value) {
    const std::size_t at = label_at(printed, position, false);
    if (at != kNoLabel) {
      row_[at] = &value;
    } else if (misfits_++ == 0) {
      first_misfit_ = printed;
    }
  });
}

void CsvWriter::write(const Draw& draw) {
  row_.resize(labels_.size());
  // Mostly every draw has the same labels in the same order.
  std::size_t same = 0;
  if (draw.predicts.size() == labels_.size()) {
    while (same < labels_.size() && draw.predicts[same].label == labels_[same].printed) {
      row_[same] = &draw.predicts[same].value;
      ++same;
    }
  }
  if (same < labels_.size()) place(draw);
  line_.clear();
  append_head(line_, draw, sampler_);
  for (std::size_t at = 0; at < labels_.size(); ++at) {
    const Label& label = labels_[at];
    if (row_[at] == nullptr) {
      line_.append(label.layout.leaves, ',');
    } else if (label.layout.parts.empty()) {  // one column holds any value
      line_ += ',';
      append_cell(line_, *row_[at]);
    } else {
      const std::size_t before = line_.size();
      if (append_parts(line_, label.layout, *row_[at])) continue;
      line_.resize(before);
      line_.append(label.layout.leaves, ',');
      if (misfits_++ == 0) first_misfit_ = label.name;
    }
  }
  line_ += '\n';
  output_(line_);
}

void CsvWriter::save(ByteWriter& to, const Layout& layout) {
  to.byte(layout.map);
  to.number(layout.parts.size());
  for (std::size_t i = 0; i < layout.parts.size(); ++i) {
    if (layout.map) to.text(layout.keys[i]);
    save(to, layout.parts[i]);
  }
}

void CsvWriter::restore(ByteReader& from, Layout& layout, std::size_t depth) {
  if (!from.charge(2 * sizeof(Layout))) return;
  layout.map = from.byte() != 0;
  const std::uint64_t parts = from.count(2);
  if (depth > Shape::kMaxDepth) from.fail("its columns are nested too deeply");
  if (parts > 0) layout.leaves = 0;
  for (std::uint64_t i = 0; i < parts && from.ok(); ++i) {
    if (layout.map) layout.keys.emplace_back(from.text());
    restore(from, layout.parts.emplace_back(), depth + 1);
    layout.leaves += layout.parts.back().leaves;
  }
}

void CsvWriter::save(ByteWriter& to) const {
  to.number(sampler_.size());
  for (const SamplerColumn* column : sampler_) to.text(column->name);
  to.number(labels_.size());
  for (const Label& label : labels_) {
    to.text(label.printed);
    to.text(label.name);
    to.byte(label.apart);
    save(to, label.layout);
  }
  to.number(misfits_);
  to.text(first_misfit_);
}

bool CsvWriter::restore(ByteReader& from) {
  for (std::uint64_t i = from.count(1, sizeof(void*)); i > 0; --i) {
    const SamplerColumn* column = find_sampler_column(from.text());
    if (!column) return from.fail("it has a column that is not known");
    sampler_.push_back(column);
  }
  constexpr std::size_t kIndexed = 128;  // what the index takes, beside two copies of a short name
  for (std::uint64_t i = from.count(5); i > 0 && from.ok(); --i) {
    if (!from.charge(2 * sizeof(Label) + kIndexed)) break;
    Label label{std::string(from.text()), std::string(from.text()), {}, from.byte() != 0};
    restore(from, label.layout, 0);
    index_.emplace(label.printed, labels_.size());
    labels_.push_back(std::move(label));
  }
  misfits_ = from.number();
  first_misfit_ = from.text();
  columns_fixed_ = true;
  return from.ok();
}

std::string CsvWriter::end() {
  if (!columns_fixed_) fix_columns();
  if (misfits_ == 0) return {};
  return fmt::format(
      "{} value{} (the first of {}) found no column, because columns are determined by the first "
      "{} "
      "draws; "
      "--format ndjson has no columns",
      misfits_, misfits_ == 1 ? "" : "s", first_misfit_, kHeld);
}

}  // namespace chancel::report
