// SPDX-License-Identifier: Apache-2.0
#include "front/scope.hpp"

namespace chancel::front {

const Scope::Entry* Scope::find(const Name* name) const {
  const auto found = innermost_.find(name);
  return found == innermost_.end() ? nullptr : &entries_[found->second - 1];
}

void Scope::push(Entry entry) {
  std::size_t& place = innermost_[entry.name];
  entry.hidden = place;
  entries_.push_back(entry);
  place = entries_.size();
}

void Scope::cut(std::size_t size) {
  while (entries_.size() > size) {
    const Entry& last = entries_.back();
    if (last.hidden == 0)
      innermost_.erase(last.name);
    else
      innermost_[last.name] = last.hidden;
    entries_.pop_back();
  }
}

}  // namespace chancel::front
