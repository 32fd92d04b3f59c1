// SPDX-License-Identifier: Apache-2.0
#include "session/plain_data.hpp"

#include <unordered_set>
#include <vector>

#include "value/collections.hpp"

namespace chancel {

bool is_plain_data(const Value& value) {
  Heap heap;
  Arena scratch(heap);
  NativeContext cx(scratch);
  std::vector<Value> open = {value};
  std::unordered_set<const Object*> seen;  // what shares its parts may have no end as a tree
  while (!open.empty()) {
    const Value v = open.back();
    open.pop_back();
    switch (v.tag) {
      case Tag::Native:
      case Tag::Node:
        return false;
      case Tag::Cons:
      case Tag::Vector:
      case Tag::VectorSeq:
      case Tag::LazySeq:
      case Tag::ArrayMap:
      case Tag::HashMap:
      case Tag::SortedMap:
      case Tag::Set:
      case Tag::SortedSet: {
        if (!seen.insert(v.o).second) break;
        SeqCursor items(cx, v, "data", 0);
        while (items.next()) open.push_back(items.item());
        if (!cx.ok()) return false;
        break;
      }
      default:
        if (v.is_object() && !v.is(Tag::String) && !v.is(Tag::Range) && !v.is_number())
          return false;
    }
  }
  return true;
}

}  // namespace chancel
