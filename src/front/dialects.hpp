// SPDX-License-Identifier: Apache-2.0
// The entries of the three front ends: Clojure-style goes form by form, the others take a whole
// file.
#pragma once
#include <vector>

#include "front/translator.hpp"

namespace chancel::front {

void translate_top_level(Translator& t, const Datum& form, std::vector<TopLevel>& out);
// One expression on its own (eval in a Venture-style program).
core::Node* translate_venture_expression(Translator& t, const Datum& form);
// Whole files of the other dialects: one query named main.
std::vector<TopLevel> translate_venture(Translator& t, const std::vector<Datum>& forms);
std::vector<TopLevel> translate_textbook(Translator& t, const std::vector<Datum>& forms);

}  // namespace chancel::front
