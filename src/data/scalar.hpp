// SPDX-License-Identifier: Apache-2.0
// The one rule by which the text of a cell becomes a value, in every file that Chancel reads:
//   nothing, NA, null, NULL, nil               null
//   true, TRUE, True, false, FALSE, False      truth values
//   12, -7, +1; integers beyond 64 bits        integers; reals
//   1.5, .5, 1e3; NaN, Inf, -Inf, Infinity     reals
//   1e999 (finite as written, but no double)   an error
// and everything else a text. Blanks around it do not count.
#pragma once
#include <string_view>

#include "data/document.hpp"

namespace chancel::data {

enum class NumberText { None, Integer, Real, TooLarge };

// The whole text as a number in JSON's notation or that of spreadsheets (+1, .5, 5.).
NumberText parse_number(std::string_view text, std::int64_t* integer, double* real);

// The kind and value of a cell; its text when it is a text. False: a number that is too large.
bool read_scalar(std::string_view cell, Node* out);
// Would read_scalar give back this text?
bool reads_as_text(std::string_view text);

std::string_view without_blanks(std::string_view text);
// "1e999 is too large": for DataError::message and its hint.
std::string too_large_message(std::string_view number);
inline constexpr const char* kTooLargeHint = "the largest number is about 1.8e308";

}  // namespace chancel::data
