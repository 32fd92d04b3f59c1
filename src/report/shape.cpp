// SPDX-License-Identifier: Apache-2.0
#include "report/shape.hpp"

#include <algorithm>

namespace chancel::report {
namespace {

using ViewKind = ValueView::Kind;

bool is_sequence(const ValueView& value) {
  return value.kind() == ViewKind::Vector || value.kind() == ViewKind::List;
}

bool is_structure(const ValueView& value) {
  return is_sequence(value) || value.kind() == ViewKind::Map || value.kind() == ViewKind::Set;
}

// Stops counting soon after kMaxLeaves, so that a huge value costs no more than a large one.
std::size_t count_leaves(const ValueView& value, std::size_t depth) {
  if (depth > Shape::kMaxDepth) return Shape::kMaxLeaves + 1;
  std::size_t count = 0;
  if (is_sequence(value)) {
    const std::size_t size = value.size();
    if (size > Shape::kMaxLeaves) return size;
    for (const ValueView& item : value.items()) {
      if (count > Shape::kMaxLeaves) break;
      count += count_leaves(item, depth + 1);
    }
  } else if (value.kind() == ViewKind::Map) {
    if (value.size() > Shape::kMaxLeaves) return value.size();
    for (const auto& [key, part] : value.entries()) count += count_leaves(part, depth + 1);
  } else {
    count = 1;
  }
  return count;
}

}  // namespace

std::vector<std::pair<std::string, ValueView>> sorted_entries(const ValueView& map) {
  std::vector<std::pair<std::string, ValueView>> result;
  for (const auto& [key, value] : map.entries()) result.emplace_back(key.print(), value);
  std::sort(result.begin(), result.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return result;
}

Shape Shape::of(const ValueView& value, std::size_t missing_rows,
                const std::shared_ptr<SpillPool>& pool) {
  Shape shape;
  shape.pool_ = pool;
  const bool apart = (is_sequence(value) || value.kind() == ViewKind::Map) && value.size() > 0 &&
                     count_leaves(value, 0) <= kMaxLeaves;
  if (!apart) {
    shape.column_ = Column(missing_rows, pool);
  } else if (is_sequence(value)) {
    shape.kind_ = Shape::Kind::Sequence;
    shape.list_ = value.kind() == ViewKind::List;
    for (const ValueView& item : value.items())
      shape.parts_.push_back(of(item, missing_rows, pool));
  } else {
    shape.kind_ = Shape::Kind::Map;
    for (const auto& [key, part] : sorted_entries(value)) {
      shape.keys_.push_back(key);
      shape.parts_.push_back(of(part, missing_rows, pool));
    }
  }
  return shape;
}

// Only this level; the parts look after themselves.
bool Shape::fits(const ValueView& value) const {
  switch (kind_) {
    case Kind::Leaf:
      return true;
    case Kind::Sequence:
      return is_sequence(value) && value.size() == parts_.size();
    case Kind::Map:
      return value.kind() == ViewKind::Map && value.size() == parts_.size();
  }
  return false;
}

void Shape::push(const ValueView& value) {
  if (!fits(value)) collapse();
  if (kind_ == Kind::Sequence) {
    std::size_t i = 0;
    for (const ValueView& item : value.items()) parts_[i++].push(item);
    return;
  }
  if (kind_ == Kind::Map) {
    const auto entries = sorted_entries(value);
    const bool same_keys =
        std::equal(entries.begin(), entries.end(), keys_.begin(), keys_.end(),
                   [](const auto& e, const auto& key) { return e.first == key; });
    if (same_keys) {
      for (std::size_t i = 0; i < parts_.size(); ++i) parts_[i].push(entries[i].second);
      return;
    }
    collapse();
  }
  switch (value.kind()) {
    case ViewKind::Integer:
      return column_.push_number(static_cast<double>(value.integer()), true);
    case ViewKind::Real:
    case ViewKind::Ratio:
    case ViewKind::BigInteger:
      return column_.push_number(value.number(), false);
    case ViewKind::Boolean:
      return column_.push_text(value.boolean() ? "true" : "false");
    default:
      structures_ = structures_ || is_structure(value);
      return column_.push_text(value.print());
  }
}

void Shape::push_missing() {
  if (kind_ == Kind::Leaf) return column_.push_missing();
  for (Shape& part : parts_) part.push_missing();
}

std::size_t Shape::rows() const {
  return kind_ == Kind::Leaf ? column_.rows() : parts_.front().rows();
}

void Shape::visit(const Visit& visit, const std::string& path) const {
  if (kind_ == Kind::Leaf) return visit(path, column_, structures_);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    parts_[i].visit(visit, path + "[" + (kind_ == Kind::Map ? keys_[i] : std::to_string(i)) + "]");
  }
}

std::string Shape::text(std::size_t row) const {
  if (kind_ == Kind::Leaf) return column_.text(row);
  std::string out = kind_ == Kind::Map ? "{" : list_ ? "(" : "[";
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (i > 0) out += kind_ == Kind::Map ? ", " : " ";
    if (kind_ == Kind::Map) out += keys_[i] + " ";
    out += parts_[i].text(row);
  }
  return out + (kind_ == Kind::Map ? "}" : list_ ? ")" : "]");
}

void Shape::collapse() {
  const std::size_t count = rows();
  Column whole(0, pool_);
  for (std::size_t row = 0; row < count; ++row) {
    const std::string printed = text(row);
    // A row without the value has no text in any leaf: the first leaf is enough.
    const Shape* leaf = this;
    while (leaf->kind_ != Kind::Leaf) leaf = &leaf->parts_.front();
    if (leaf->column_.is_missing(row)) {
      whole.push_missing();
    } else {
      whole.push_text(printed);
    }
  }
  column_ = std::move(whole);
  structures_ = true;
  kind_ = Kind::Leaf;
  keys_.clear();
  parts_.clear();
}

}  // namespace chancel::report
