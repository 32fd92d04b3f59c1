// SPDX-License-Identifier: Apache-2.0
// Quoted data as values, and values that macros give back as data. Both recurse over the data,
// whose depth the reader bounds (a macro that builds deeper data meets the translator's own bound).
// Values that are not data (functions, distributions) become the symbol of what they print as, so
// that a message can show them.
#include "front/front.hpp"
#include "value/collections.hpp"
#include "value/print.hpp"

namespace chancel {

namespace {

Value ratio_value(const Datum& datum, Arena& arena) {
  auto* ratio = arena.make<Ratio>(Tag::Ratio);
  ratio->numerator = datum.integer;
  ratio->denominator = datum.denominator;
  return Value::object(ratio);
}

std::vector<Value> item_values(const Datum& datum, Arena& arena) {
  std::vector<Value> items;
  items.reserve(datum.items.size());
  for (const Datum& item : datum.items) items.push_back(datum_to_value(item, arena));
  return items;
}

Datum blank(DatumKind kind, Span span) {
  Datum datum;
  datum.kind = kind;
  datum.span = span;
  return datum;
}

Datum sequence_datum(DatumKind kind, const Value& value, Span span) {
  Datum datum = blank(kind, span);
  // Macro results are realised before they come here: a scratch arena is only asked for nothing.
  static Heap heap;
  Arena arena(heap);
  NativeContext cx(arena);
  for (SeqCursor at(cx, value, "macro", 0); at.next();)
    datum.items.push_back(value_to_datum(at.item(), span));
  return datum;
}

}  // namespace

Value datum_to_value(const Datum& datum, Arena& arena) {
  switch (datum.kind) {
    case DatumKind::Nil:
      return Value::nil();
    case DatumKind::Bool:
      return Value::boolean(datum.boolean);
    case DatumKind::Int:
      return Value::integer(datum.integer);
    case DatumKind::Double:
      return Value::real(datum.real);
    case DatumKind::Ratio:
      return ratio_value(datum, arena);
    case DatumKind::Char:
      return Value::character(static_cast<std::uint32_t>(datum.integer));
    case DatumKind::String:
      return make_string(arena, datum.text);
    case DatumKind::Symbol:
      return Value::symbol(datum.name);
    case DatumKind::Keyword:
      return Value::keyword(datum.name);
    case DatumKind::List: {
      if (datum.items.empty()) return Value::empty_list();
      std::vector<Value> items = item_values(datum, arena);
      return make_list(arena, items.data(), items.size());
    }
    case DatumKind::Vector: {
      std::vector<Value> items = item_values(datum, arena);
      return make_vector(arena, items.data(), items.size());
    }
    case DatumKind::Map: {
      Value map = empty_map(arena);
      for (std::size_t i = 0; i + 1 < datum.items.size(); i += 2)
        map = map_assoc(arena, map, datum_to_value(datum.items[i], arena),
                        datum_to_value(datum.items[i + 1], arena));
      return map;
    }
    case DatumKind::Set: {
      Value set = empty_set(arena);
      for (const Datum& item : datum.items) set = set_conj(arena, set, datum_to_value(item, arena));
      return set;
    }
  }
  return Value::nil();
}

Datum value_to_datum(const Value& value, Span span) {
  switch (value.tag) {
    case Tag::Nil:
      return make_nil(span);
    case Tag::Bool:
      return make_bool(value.truthy(), span);
    case Tag::Int:
      return make_int(value.i, span);
    case Tag::Double: {
      Datum datum = blank(DatumKind::Double, span);
      datum.real = value.d;
      return datum;
    }
    case Tag::Ratio: {
      Datum datum = blank(DatumKind::Ratio, span);
      datum.integer = value.as<Ratio>()->numerator;
      datum.denominator = value.as<Ratio>()->denominator;
      return datum;
    }
    case Tag::Char: {
      Datum datum = blank(DatumKind::Char, span);
      datum.integer = value.i;
      return datum;
    }
    case Tag::Keyword:
      return make_keyword(value.name->full, span);
    case Tag::Symbol:
      return make_symbol(value.name->full, span);
    case Tag::String:
      return make_string(std::string(string_view_of(value)), span);
    case Tag::EmptyList:
      return make_list({}, span);
    case Tag::Cons:
    case Tag::VectorSeq:
    case Tag::Range:
    case Tag::LazySeq:
      return sequence_datum(DatumKind::List, value, span);
    case Tag::Vector:
      return sequence_datum(DatumKind::Vector, value, span);
    case Tag::Set:
    case Tag::SortedSet:
      return sequence_datum(DatumKind::Set, value, span);
    case Tag::ArrayMap:
    case Tag::HashMap:
    case Tag::SortedMap: {
      Datum datum = blank(DatumKind::Map, span);
      map_each(value, [&](const Value& key, const Value& item) {
        datum.items.push_back(value_to_datum(key, span));
        datum.items.push_back(value_to_datum(item, span));
      });
      return datum;
    }
    default:
      return make_symbol(show(value), span);
  }
}

}  // namespace chancel
