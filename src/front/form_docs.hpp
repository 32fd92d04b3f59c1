// SPDX-License-Identifier: Apache-2.0
// What people may want to know of the special forms and macros (forms.def).
#pragma once
#include <span>
#include <string>
#include <vector>

namespace chancel::front {

struct FormDoc {
  const char* name;
  const char* shape;  // "(let [name value ...] body ...)"
  const char* doc;
};
std::span<const FormDoc> form_docs();
// The names that the front end of the Clojure-style dialect knows as forms.
std::vector<std::string> form_names();

}  // namespace chancel::front
