// SPDX-License-Identifier: Apache-2.0
// Walks over what is known of slots, through the parts of objects that were not made.
#pragma once
#include <map>

#include "native/abstract.hpp"

namespace chancel::native {

// Variables of particles, in a fixed order. Buildings are copied, what is shared once, so that they may be changed.
class Parts {
 public:
  std::vector<Known*> varying_of(std::vector<AbstractFrame>& frames);

 private:
  void own(Known& k);
  std::vector<Known*> varying_;
  std::map<std::shared_ptr<const Building>, std::shared_ptr<const Building>> copies_;
};

// A text that is equal for slots of which the same is known: with the names of uniform variables or without.
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
