// SPDX-License-Identifier: Apache-2.0
// How natives read their arguments. Every reader returns false after it has reported what is wrong
// (function, argument, rule, value) or asked for a lazy sequence to be realised; the native then
// returns nil at once.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diagnostic.hpp"
#include "value/collections.hpp"
#include "value/heap.hpp"
#include "value/lookup.hpp"
#include "value/native.hpp"
#include "value/number.hpp"
#include "value/print.hpp"

namespace chancel {

// A number of any kind, as a double.
bool read_number(NativeContext& cx, const char* function, const Value* args, int index,
                 double* out);
// An integer. Doubles and ratios are cut towards zero, as Clojure does with indices.
bool read_integer(NativeContext& cx, const char* function, const Value* args, int index,
                  std::int64_t* out);
// An integer >= 0 with the same rule.
bool read_size(NativeContext& cx, const char* function, const Value* args, int index,
               std::int64_t* out);
bool read_string(NativeContext& cx, const char* function, const Value* args, int index,
                 std::string_view* out);
// All items of a finite sequence, realised. Refuses infinite ranges and sequences that cannot fit
// into the heap's limit.
bool read_items(NativeContext& cx, const char* function, const Value* args, int index,
                std::vector<Value>* out);
// All items, each a number.
bool read_numbers(NativeContext& cx, const char* function, const Value* args, int index,
                  std::vector<double>* out);
bool check_numbers(NativeContext& cx, const char* function, const Value* args, std::uint32_t count);

// Adds to a text that is being built, within the limits of the run.
void append_text(NativeContext& cx, std::string_view text, std::string* out);

// A list of the items; () when there are none.
Value list_of(NativeContext& cx, const std::vector<Value>& items);
Value vector_of(NativeContext& cx, const std::vector<Value>& items);
Value pair_of(NativeContext& cx, const Value& a, const Value& b);
Value keyword_of(std::string_view name);

// A name as a template argument, so that every function made from a template has its own.
struct Text {
  char text[24];
  template <std::size_t n>
  constexpr Text(const char (&s)[n]) : text{} {
    for (std::size_t i = 0; i < n; ++i) text[i] = s[i];
  }
};

}  // namespace chancel
