// SPDX-License-Identifier: Apache-2.0
// See form_docs.hpp.
#include "front/form_docs.hpp"

namespace chancel::front {

std::span<const FormDoc> form_docs() {
  static constexpr FormDoc kDocs[] = {
#define CHANCEL_FORM(name, shape, doc) {name, shape, doc},
#include "front/forms.def"
#undef CHANCEL_FORM
  };
  return kDocs;
}

}  // namespace chancel::front
