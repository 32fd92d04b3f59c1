// SPDX-License-Identifier: Apache-2.0
#include "front/scope.hpp"

namespace chancel::front {

const Scope::Entry* Scope::find(const Name* name) const {
  for (std::size_t i = entries_.size(); i-- > 0;)
    if (entries_[i].name == name) return &entries_[i];
  return nullptr;
}

}  // namespace chancel::front
