// SPDX-License-Identifier: Apache-2.0
// Traversals of abstract values, through the fields of objects that are not allocated.
#pragma once
#include <map>

#include "native/abstract.hpp"

namespace chancel::native {

// The varying variables of frames in a fixed order. Buildings are copied, so that they may be
// changed; shared ones stay shared.
class Parts {
 public:
  std::vector<Known*> varying_of(std::vector<AbstractFrame>& frames);

 private:
  void own(Known& k);
  std::vector<Known*> varying_;
  std::map<std::shared_ptr<const Building>, std::shared_ptr<const Building>> copies_;
};

// A key that is equal for states with equal abstract values, with the names of uniform variables or
// without.
class Knowledge {
 public:
  explicit Knowledge(bool variables) : variables_(variables) {}
  void add(const Known& k);
  std::string text() const { return text_; }

 private:
  bool variables_;
  std::map<const Building*, std::size_t> met_;
  std::string text_;
};

}  // namespace chancel::native
