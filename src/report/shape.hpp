// SPDX-License-Identifier: Apache-2.0
// The shape that the values of a label have had so far, and the column of each leaf. Sequences of
// one length and maps with the same keys are taken apart; where values differ in shape, that part
// (and no more) becomes one leaf that holds the printed values, including those already seen, which
// are put together again from their columns. Vectors and lists are alike, as in Clojure's =. Sets,
// functions and values of more than kMaxLeaves parts are leaves.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "chancel/chancel.hpp"
#include "report/column.hpp"

namespace chancel::report {

class Shape {
 public:
  static constexpr std::size_t kMaxLeaves = 10'000;
  static constexpr std::size_t kMaxDepth = 100;

  // The shape of a first value, after `missing_rows` draws without it. Does not add the value.
  static Shape of(const ValueView& value, std::size_t missing_rows,
                  const std::shared_ptr<SpillPool>& pool);
  void push(const ValueView& value);
  void push_missing();
  std::size_t rows() const;

  // Every leaf with its path ("" for a leaf, "[3]", "[:mu][0]"), in order, and whether its values
  // are collections.
  using Visit = std::function<void(const std::string& path, const Column& column, bool structures)>;
  void visit(const Visit& visit, const std::string& path = {}) const;
  // What the whole value of a row was.
  std::string text(std::size_t row) const;

  // As bytes, and back into a new shape (stored_columns.cpp).
  void save(ByteStream& to) const;
  void restore(ByteReader& from, const std::shared_ptr<SpillPool>& pool, std::size_t depth = 0);

 private:
  enum class Kind { Leaf, Sequence, Map };
  bool fits(const ValueView& value) const;
  void collapse();

  Kind kind_ = Kind::Leaf;
  bool list_ = false;        // a sequence printed with round brackets
  bool structures_ = false;  // a leaf that stands for collections
  std::shared_ptr<SpillPool> pool_;
  Column column_;                  // of a leaf
  std::vector<std::string> keys_;  // of a map: printed, sorted
  std::vector<Shape> parts_;
};

// The entries of a map by printed key, sorted: the order in which Shape keeps them.
std::vector<std::pair<std::string, ValueView>> sorted_entries(const ValueView& map);

}  // namespace chancel::report
