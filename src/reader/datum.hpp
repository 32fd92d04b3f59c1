// SPDX-License-Identifier: Apache-2.0
// What the reader gives: a tree of data in which every part knows its place. Datum is not a
// run-time value: it is made of C++ strings and vectors, lives for one compilation and is cheap to
// rewrite (front ends and macros do). Reader shorthands arrive expanded: 'x is (quote x), @x is
// (deref x), #(...) is (fn* [p1__] ...), `x is the quasi-quotation spelled out with
// seq/concat/list, ^m x is (with-meta-like) the `meta` field of x.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/symbol.hpp"
#include "diag/span.hpp"

namespace chancel {

enum class DatumKind : std::uint8_t {
  Nil,
  Bool,
  Int,
  Double,
  Ratio,
  BigInt,
  Char,
  String,
  Symbol,
  Keyword,
  List,
  Vector,
  Map,
  Set
};

struct Datum {
  DatumKind kind = DatumKind::Nil;
  Span span;
  bool boolean = false;
  std::int64_t integer = 0;      // Int, Char (code point), Ratio numerator
  std::int64_t denominator = 1;  // Ratio; 0: `text` has it, as one part does not fit
  double real = 0;               // Double
  const Name* name = nullptr;    // Symbol, Keyword
  // String; BigInt: its decimal digits; Ratio of large parts: as it prints. Symbol of a syntax quote:
  // kSyntaxQuoted; Keyword of the file's own namespace (::a): kOwnKeyword.
  std::string text;
  static constexpr const char* kSyntaxQuoted = "`";
  static constexpr const char* kOwnKeyword = "::";
  std::vector<Datum> items;     // List, Vector, Set; Map: key value key value ...
  std::shared_ptr<Datum> meta;  // ^meta, or null
  Span expanded_from;           // for data made by a macro: the call that made it

  bool is(DatumKind k) const { return kind == k; }
  bool is_symbol(const char* spelled) const {
    return kind == DatumKind::Symbol && name->full == spelled;
  }
  bool is_list_headed(const char* head) const {
    return kind == DatumKind::List && !items.empty() && items[0].is_symbol(head);
  }
};

// What a datum costs, with the room to spare of the vector it stands in.
inline std::size_t cost_of(const Datum& datum) {
  return sizeof(Datum) + sizeof(Datum) / 2 + datum.text.capacity();
}
// All data below it, and itself.
std::size_t whole_cost_of(const Datum& datum);

// Builders used by front ends: every part carries the given span.
Datum make_symbol(std::string_view name, Span span);
Datum make_keyword(std::string_view name, Span span);
Datum make_int(std::int64_t value, Span span);
Datum make_string(std::string text, Span span);
Datum make_nil(Span span);
Datum make_bool(bool value, Span span);
Datum make_list(std::vector<Datum> items, Span span);
Datum make_vector(std::vector<Datum> items, Span span);

// Source-like text of a datum (used for predict labels and dumps); reads back to the same datum.
std::string to_text(const Datum& datum);
// Same data, ignoring spans and metadata.
bool same_data(const Datum& a, const Datum& b);

}  // namespace chancel
