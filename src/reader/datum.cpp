// SPDX-License-Identifier: Apache-2.0
// Making, printing and comparing data. All three recurse over the tree, whose depth the reader
// bounds. Printing is Clojure's pr: (quote x) stays spelled out, map entries are parted by commas,
// metadata is not shown.
#include "reader/datum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/double_text.hpp"
#include "base/utf8.hpp"
#include "reader/characters.hpp"

namespace chancel {
namespace {

Datum make(DatumKind kind, Span span) {
  Datum datum;
  datum.kind = kind;
  datum.span = span;
  return datum;
}

void add_string(std::string& out, const std::string& text) {
  out += '"';
  for (char c : text) {
    switch (c) {
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\b':
        out += "\\b";
        break;
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      default:
        out += c;
    }
  }
  out += '"';
}

void add_char(std::string& out, std::uint32_t c) {
  out += '\\';
  switch (c) {
    case '\n':
      out += "newline";
      return;
    case ' ':
      out += "space";
      return;
    case '\t':
      out += "tab";
      return;
    case '\r':
      out += "return";
      return;
    case '\f':
      out += "formfeed";
      return;
    case '\b':
      out += "backspace";
      return;
    default:
      break;
  }
  // What could not be seen is written by number; a comma or bracket is readable as it stands.
  if (c < 0x10000 && c != ',' && (is_white_space(c) || is_control(c))) {
    out += fmt::format("u{:04X}", c);
  } else {
    append_utf8(out, c);
  }
}

void add_text(std::string& out, const Datum& datum);

void add_items(std::string& out, const Datum& datum, const char* open, const char* close) {
  out += open;
  const bool map = datum.kind == DatumKind::Map;
  for (std::size_t i = 0; i < datum.items.size(); ++i) {
    if (i > 0) out += map && i % 2 == 0 ? ", " : " ";
    add_text(out, datum.items[i]);
  }
  out += close;
}

void add_text(std::string& out, const Datum& datum) {
  switch (datum.kind) {
    case DatumKind::Nil:
      out += "nil";
      return;
    case DatumKind::Bool:
      out += datum.boolean ? "true" : "false";
      return;
    case DatumKind::Int:
      out += std::to_string(datum.integer);
      return;
    case DatumKind::Double:
      out += java_double_text(datum.real);
      return;
    case DatumKind::BigInt:
      out += datum.text + "N";
      return;
    case DatumKind::Ratio:
      if (datum.denominator == 0)
        out += datum.text;
      else
        out += std::to_string(datum.integer) + "/" + std::to_string(datum.denominator);
      return;
    case DatumKind::Char:
      add_char(out, static_cast<std::uint32_t>(datum.integer));
      return;
    case DatumKind::String:
      add_string(out, datum.text);
      return;
    case DatumKind::Symbol:
      out += datum.name->full;
      return;
    case DatumKind::Keyword:
      out += ":" + datum.name->full;
      return;
    case DatumKind::List:
      add_items(out, datum, "(", ")");
      return;
    case DatumKind::Vector:
      add_items(out, datum, "[", "]");
      return;
    case DatumKind::Map:
      add_items(out, datum, "{", "}");
      return;
    case DatumKind::Set:
      add_items(out, datum, "#{", "}");
      return;
  }
}

// Sets and maps are the same in any order: each entry of a (of `width` items) has its partner in b.
// The partner is looked for at the same place first, so that equal texts compare in one pass; no
// pair is compared twice, so the cost is at most the product of both sizes.
bool same_entries(const Datum& a, const Datum& b, std::size_t width) {
  auto same_at = [&](std::size_t i, std::size_t j) {
    for (std::size_t k = 0; k < width; ++k) {
      if (!same_data(a.items[i + k], b.items[j + k])) return false;
    }
    return true;
  };
  for (std::size_t i = 0; i + width <= a.items.size(); i += width) {
    bool found = same_at(i, i);
    for (std::size_t j = 0; !found && j + width <= b.items.size(); j += width) {
      found = j != i && same_at(i, j);
    }
    if (!found) return false;
  }
  return true;
}

}  // namespace

Datum make_symbol(std::string_view name, Span span) {
  Datum datum = make(DatumKind::Symbol, span);
  datum.name = intern(name);
  return datum;
}

Datum make_keyword(std::string_view name, Span span) {
  Datum datum = make(DatumKind::Keyword, span);
  datum.name = intern(name);
  return datum;
}

Datum make_int(std::int64_t value, Span span) {
  Datum datum = make(DatumKind::Int, span);
  datum.integer = value;
  return datum;
}

Datum make_string(std::string text, Span span) {
  Datum datum = make(DatumKind::String, span);
  datum.text = std::move(text);
  return datum;
}

Datum make_nil(Span span) { return make(DatumKind::Nil, span); }

Datum make_bool(bool value, Span span) {
  Datum datum = make(DatumKind::Bool, span);
  datum.boolean = value;
  return datum;
}

Datum make_list(std::vector<Datum> items, Span span) {
  Datum datum = make(DatumKind::List, span);
  datum.items = std::move(items);
  return datum;
}

Datum make_vector(std::vector<Datum> items, Span span) {
  Datum datum = make(DatumKind::Vector, span);
  datum.items = std::move(items);
  return datum;
}

std::size_t whole_cost_of(const Datum& datum) {
  std::size_t cost = cost_of(datum);
  for (const Datum& item : datum.items) cost += whole_cost_of(item);
  return cost;
}

std::string to_text(const Datum& datum) {
  std::string out;
  add_text(out, datum);
  return out;
}

bool same_data(const Datum& a, const Datum& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case DatumKind::Nil:
      return true;
    case DatumKind::Bool:
      return a.boolean == b.boolean;
    case DatumKind::Int:
    case DatumKind::Char:
      return a.integer == b.integer;
    case DatumKind::Double:
      // By bits: NaN is the same datum as NaN, and -0.0 is not 0.0.
      return std::bit_cast<std::uint64_t>(a.real) == std::bit_cast<std::uint64_t>(b.real);
    case DatumKind::Ratio:
      return a.integer == b.integer && a.denominator == b.denominator && a.text == b.text;
    case DatumKind::BigInt:
    case DatumKind::String:
      return a.text == b.text;
    case DatumKind::Symbol:
    case DatumKind::Keyword:
      return a.name == b.name;
    case DatumKind::List:
    case DatumKind::Vector:
      return std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), same_data);
    case DatumKind::Map:
      return a.items.size() == b.items.size() && same_entries(a, b, 2);
    case DatumKind::Set:
      return a.items.size() == b.items.size() && same_entries(a, b, 1);
  }
  return false;
}

}  // namespace chancel
