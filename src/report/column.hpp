// SPDX-License-Identifier: Apache-2.0
// The values of one leaf of a predict over all draws: numbers as doubles, anything else as an index
// into a dictionary of printed values. A column starts as numbers and turns into a dictionary when
// something else comes; a draw without the value holds a mark. Dictionaries end at kMaxEntries
// different values, or where the pool has no more room for texts: later ones count as one
// ("others").
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/bytes.hpp"
#include "report/byte_stream.hpp"
#include "report/spill_vector.hpp"

namespace chancel::report {

class Column {
 public:
  static constexpr std::size_t kMaxEntries = 100'000;
  static constexpr std::uint32_t kMissing = 0xFFFFFFFF;
  static constexpr std::uint32_t kOthers = 0xFFFFFFFE;

  explicit Column(std::size_t missing_rows = 0, std::shared_ptr<SpillPool> pool = nullptr)
      : start_(missing_rows), pool_(std::move(pool)), numbers_(pool_), entries_(pool_) {}
  Column(Column&&) = default;
  Column& operator=(Column&&) = default;
  void push_number(double value, bool integer);
  void push_text(std::string_view text);
  void push_missing();

  std::size_t rows() const { return start_ + (is_dictionary_ ? entries_.size() : numbers_.size()); }
  bool is_missing(std::size_t row) const;
  bool has_missing() const { return missing_ > 0; }

  bool is_dictionary() const { return is_dictionary_; }
  bool all_integers() const { return !is_dictionary_ && !has_real_; }
  double number(std::size_t row) const { return numbers_[row - start_]; }
  std::uint32_t entry(std::size_t row) const { return entries_[row - start_]; }
  const std::string& entry_text(std::uint32_t entry) const { return texts_[entry]; }
  std::size_t entry_count() const { return texts_.size(); }
  bool overflowed() const { return overflowed_; }
  // The number or entry of every row, in order, from row first_row() on; visit(is_missing, number).
  template <class Visit>
  void each(const Visit& visit) const {
    if (is_dictionary_) {
      entries_.each([&](std::uint32_t e) { visit(e == kMissing, static_cast<double>(e)); });
    } else {
      numbers_.each([&](double x) { visit(is_mark(x), x); });
    }
  }
  std::size_t first_row() const { return start_; }
  // What the row holds, as it would be printed.
  std::string text(std::size_t row) const;

  // As bytes, and back into a new column (stored_columns.cpp).
  void save(ByteStream& to) const;
  void restore(ByteReader& from);

 private:
  static bool is_mark(double x);
  void become_dictionary();
  std::uint32_t intern(std::string_view text);

  std::size_t start_;  // rows before the first value; they are missing and not stored
  std::size_t missing_ = start_;
  bool is_dictionary_ = false;
  bool has_real_ = false;
  bool overflowed_ = false;
  std::shared_ptr<SpillPool> pool_;
  SpillVector<double> numbers_;
  SpillVector<std::uint32_t> entries_;
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, std::uint32_t> index_;  // of texts_
};

}  // namespace chancel::report
