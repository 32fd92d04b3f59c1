// SPDX-License-Identifier: Apache-2.0
// What the files of the Venture dialect share: venture.cpp (programs), venture_body.cpp (assumptions and the bodies that
// they are part of), venture_forms.cpp (the other forms).
#pragma once
#include "front/translator.hpp"

namespace chancel::front {

// Lists and vectors are the same.
inline bool is_form(const Datum& datum) {
  return (datum.is(DatumKind::List) || datum.is(DatumKind::Vector)) && !datum.items.empty();
}
inline bool is_headed(const Datum& datum, const char* head) {
  return is_form(datum) && datum.items[0].is_symbol(head);
}

template <class F>
void each_symbol(const Datum& datum, const F& f) {
  if (datum.is(DatumKind::Symbol)) f(datum.name);
  for (const Datum& item : datum.items) each_symbol(item, f);
}

// Is it the value of a variable that can be observed: a random procedure that remembers its draws?
bool makes_exchangeable(Translator& t, const Datum& value);
// (lambda (a b) body ...), and (define (f a b) body ...) without its define. `self`: its name inside.
core::Lambda* function_of(Translator& t, const Datum& form, const Name* name, const Name* self);

const FormTable& venture_forms();

}  // namespace chancel::front
