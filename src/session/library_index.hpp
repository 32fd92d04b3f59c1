// SPDX-License-Identifier: Apache-2.0
// What the language brings along: natives of all rooms, named constants, and where each prelude
// definition stands in its text.
#pragma once
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/symbol.hpp"
#include "value/native.hpp"

namespace chancel {

// clojure.core/map means the library's map, whatever the program defines: sugar writes it so when it has to.
bool means_library(const Name* name);
const Name* library_spelling(const Name* name);  // without the namespace

class LibraryIndex {
 public:
  LibraryIndex();
  const NativeDef* native(const Name* name) const;
  const Value* constant(const Name* name) const;
  // The text of a prelude definition, or empty.
  std::string_view prelude(const Name* name) const;
  // Whether the function (under either spelling) neither draws nor keeps state: a pure native, a constant, or a prelude
  // function whose text names nothing else.
  bool is_free_of_draws(const Name* name) const;
  std::vector<std::string> names() const;
  const std::vector<const NativeDef*>& natives() const { return list_; }
  const std::unordered_map<const Name*, std::string_view>& prelude_definitions() const {
    return prelude_;
  }

  void add(const NativeDef& def);  // must outlive the index

 private:
  std::vector<const NativeDef*> list_;
  std::unordered_map<const Name*, const NativeDef*> natives_;
  std::unordered_map<const Name*, Value> constants_;
  std::unordered_map<const Name*, std::string_view> prelude_;
};

}  // namespace chancel
