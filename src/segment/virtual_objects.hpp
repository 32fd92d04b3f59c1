// SPDX-License-Identifier: Apache-2.0
// Traversals of abstract values, through the fields of objects that are not allocated.
#pragma once
#include <map>

#include "segment/abstract_values.hpp"

namespace chancel::segment {

// The varying variables of frames in a fixed order. Virtual objects are copied, so that they may be
// changed; shared ones stay shared.
class Parts {
 public:
  std::vector<AbstractValue*> varying_of(std::vector<AbstractFrame>& frames);

 private:
  void own(AbstractValue& k);
  std::vector<AbstractValue*> varying_;
  std::map<std::shared_ptr<const VirtualObject>, std::shared_ptr<const VirtualObject>> copies_;
};

// A key that is equal for states with equal abstract values, with the names of uniform variables or
// without.
class StateKey {
 public:
  explicit StateKey(bool variables) : variables_(variables) {}
  void add(const AbstractValue& k);
  std::string text() const { return text_; }

 private:
  bool variables_;
  std::map<const VirtualObject*, std::size_t> met_;
  std::string text_;
};

}  // namespace chancel::segment
