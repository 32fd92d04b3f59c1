// SPDX-License-Identifier: Apache-2.0
#include "report/column.hpp"

#include <bit>
#include <cmath>

#include "base/double_text.hpp"

namespace chancel::report {
namespace {

// A NaN that no arithmetic makes stands for a missing number.
constexpr std::uint64_t kMissingBits = 0x7FF8'C4A9'CE10'0001;

std::string number_text(double value, bool integer) {
  return integer ? std::to_string(static_cast<long long>(value)) : java_double_text(value);
}

}  // namespace

bool Column::is_mark(double x) { return std::bit_cast<std::uint64_t>(x) == kMissingBits; }

void Column::push_number(double value, bool integer) {
  if (is_dictionary_) return push_text(number_text(value, integer));
  has_real_ = has_real_ || !integer;
  numbers_.push_back(value);
}

void Column::push_text(std::string_view text) {
  if (!is_dictionary_) become_dictionary();
  entries_.push_back(intern(text));
}

void Column::push_missing() {
  ++missing_;
  if (is_dictionary_) {
    entries_.push_back(kMissing);
  } else {
    numbers_.push_back(std::bit_cast<double>(kMissingBits));
  }
}

bool Column::is_missing(std::size_t row) const {
  if (row < start_) return true;
  return is_dictionary_ ? entry(row) == kMissing : is_mark(number(row));
}

std::string Column::text(std::size_t row) const {
  if (is_missing(row)) return {};
  if (!is_dictionary_) return number_text(number(row), !has_real_);
  return entry(row) == kOthers ? "..." : texts_[entry(row)];
}

void Column::become_dictionary() {
  is_dictionary_ = true;
  numbers_.each([&](double x) {
    entries_.push_back(is_mark(x) ? kMissing : intern(number_text(x, !has_real_)));
  });
  numbers_.clear();
}

std::uint32_t Column::intern(std::string_view text) {
  const auto found = index_.find(text);
  if (found != index_.end()) return found->second;
  if (texts_.size() >= kMaxEntries || (pool_ && !pool_->keep_text(text.size()))) {
    overflowed_ = true;
    return kOthers;
  }
  const auto entry = static_cast<std::uint32_t>(texts_.size());
  index_.emplace(texts_.emplace_back(text), entry);
  return entry;
}

}  // namespace chancel::report
