// SPDX-License-Identifier: Apache-2.0
// The values of one leaf of a predict over all draws: numbers as doubles, anything else as an index
// into a dictionary of printed values. A column starts as numbers and turns into a dictionary when
// something else comes; a draw without the value holds a mark. Dictionaries end at kMaxEntries
// different values: later ones count as one ("others").
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace chancel::report {

class Column {
 public:
  static constexpr std::size_t kMaxEntries = 100'000;
  static constexpr std::uint32_t kMissing = 0xFFFFFFFF;
  static constexpr std::uint32_t kOthers = 0xFFFFFFFE;

  explicit Column(std::size_t missing_rows = 0) : start_(missing_rows) {}
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
  // What the row holds, as it would be printed.
  std::string text(std::size_t row) const;

 private:
  void become_dictionary();
  std::uint32_t intern(std::string_view text);

  std::size_t start_;  // rows before the first value; they are missing and not stored
  std::size_t missing_ = start_;
  bool is_dictionary_ = false;
  bool has_real_ = false;
  bool overflowed_ = false;
  std::vector<double> numbers_;
  std::vector<std::uint32_t> entries_;
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t> index_;
};

}  // namespace chancel::report
