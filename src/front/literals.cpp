// SPDX-License-Identifier: Apache-2.0
// Literals. Collections of constants become one constant, so that data written into a program costs nothing at run time.
#include <algorithm>

#include "front/translator.hpp"
#include "value/collections.hpp"

namespace chancel::front {

using core::Node;

// A vector that starts with a literal cannot be meant as a call.
bool Translator::is_venture_form(const Datum& datum) const {
  if (dialect != Dialect::Venture || !datum.is(DatumKind::Vector) || datum.items.empty())
    return false;
  switch (datum.items[0].kind) {
    case DatumKind::Symbol:
    case DatumKind::Keyword:
    case DatumKind::List:
    case DatumKind::Vector:
    case DatumKind::Map:
    case DatumKind::Set:
      return true;
    default:
      return false;
  }
}

// A function that a macro has put into its code stands for itself, quoted or not.
static bool is_object_name(const Datum& datum) {
  return datum.is(DatumKind::Symbol) && datum.name->full.starts_with(kObjectName);
}

bool Translator::is_constant(const Datum& datum) const {
  switch (datum.kind) {
    case DatumKind::Symbol:
      return false;
    case DatumKind::List:
      if (datum.items.empty()) return true;
      return datum.is_list_headed("quote") && datum.items.size() == 2 &&
             !is_object_name(datum.items[1]);
    case DatumKind::Vector:
    case DatumKind::Map:
    case DatumKind::Set:
      // Vectors are forms in Venture-style; textbook maps know numeric keys by value.
      if (is_venture_form(datum)) return false;
      if (dialect == Dialect::Textbook && datum.is(DatumKind::Map)) return false;
      if (datum.meta != nullptr) return false;
      return std::all_of(datum.items.begin(), datum.items.end(),
                         [&](const Datum& item) { return is_constant(item); });
    default:
      return true;
  }
}

Value Translator::constant_value(const Datum& datum) {
  if (datum.is(DatumKind::List)) {
    return datum.items.empty() ? Value::empty_list() : quoted_value(datum.items[1]);
  }
  if (!datum.is(DatumKind::Vector) && !datum.is(DatumKind::Map) && !datum.is(DatumKind::Set))
    return datum_to_value(datum, constants);
  std::vector<Value> items;
  for (const Datum& item : datum.items) items.push_back(constant_value(item));
  return collection_value(datum.kind, items);
}

Value Translator::quoted_value(const Datum& datum) {
  if (datum.is(DatumKind::Symbol) && datum.text == Datum::kSyntaxQuoted && !names.ns().empty() &&
      (names.defined(datum.name) || names.globals().is_macro(names.own(datum.name))))
    return Value::symbol(names.own(datum.name));
  return datum_to_value(datum, constants);
}

Value Translator::collection_value(DatumKind kind, const std::vector<Value>& items) {
  if (kind == DatumKind::Vector) return chancel::make_vector(constants, items.data(), items.size());
  if (kind == DatumKind::Set) {
    Value set = empty_set(constants);
    for (const Value& item : items) set = set_conj(constants, set, item);
    return set;
  }
  Value map = empty_map(constants);
  for (std::size_t i = 0; i + 1 < items.size(); i += 2)
    map = map_assoc(constants, map, items[i], items[i + 1]);
  return map;
}

// A constant that is not a vector, map or set.
bool Translator::is_atom(const Datum& datum) const {
  return !datum.is(DatumKind::Vector) && !datum.is(DatumKind::Map) && !datum.is(DatumKind::Set) &&
         is_constant(datum);
}

// Items are translated once, and those that are plain literals get a node only if the collection
// turns out to be no constant: large data costs no nodes, and nesting no second look.
Node* Translator::collection(const Datum& datum) {
  bool all_constant = !(dialect == Dialect::Textbook && datum.is(DatumKind::Map));
  std::vector<Node*> items(datum.items.size(), nullptr);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (is_atom(datum.items[i])) continue;
    items[i] = translate(datum.items[i]);
    all_constant = all_constant && items[i]->kind == core::Kind::Const;
  }
  const auto value_at = [&](std::size_t i) {
    return items[i] != nullptr ? static_cast<core::Const*>(items[i])->value
                               : constant_value(datum.items[i]);
  };
  if (all_constant) {
    std::vector<Value> values;
    values.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) values.push_back(value_at(i));
    return constant(datum.span, collection_value(datum.kind, values));
  }
  for (std::size_t i = 0; i < items.size(); ++i)
    if (items[i] == nullptr)
      items[i] = constant(datum.items[i].span, constant_value(datum.items[i]));
  switch (datum.kind) {
    case DatumKind::Vector:
      return vector_literal(datum.span, std::move(items));
    case DatumKind::Map:
      return map_literal(datum.span, std::move(items));
    default:
      return library_call(datum.span, "%set", std::move(items));
  }
}

Node* Translator::vector_literal(Span span, std::vector<Node*> items) {
  if (items.size() <= kPieceOfLiteral) return library_call(span, "vector", std::move(items));
  std::vector<Node*> pieces;
  for (std::size_t i = 0; i < items.size(); i += kPieceOfLiteral) {
    const std::size_t end = std::min(items.size(), i + kPieceOfLiteral);
    pieces.push_back(library_call(span, "vector",
                                  {items.begin() + static_cast<std::ptrdiff_t>(i),
                                   items.begin() + static_cast<std::ptrdiff_t>(end)}));
  }
  while (pieces.size() > 1) {
    std::vector<Node*> joined;
    for (std::size_t i = 0; i < pieces.size(); i += kPieceOfLiteral) {
      const std::size_t end = std::min(pieces.size(), i + kPieceOfLiteral);
      joined.push_back(library_call(span, "%concat-vectors",
                                    {pieces.begin() + static_cast<std::ptrdiff_t>(i),
                                     pieces.begin() + static_cast<std::ptrdiff_t>(end)}));
    }
    pieces = std::move(joined);
  }
  return pieces[0];
}

Node* Translator::map_literal(Span span, std::vector<Node*> items) {
  const char* make_map = dialect == Dialect::Textbook ? "%textbook-hash-map" : "%map";
  if (items.size() <= kPieceOfLiteral) return library_call(span, make_map, std::move(items));
  std::vector<Node*> pieces;
  for (std::size_t i = 0; i < items.size(); i += kPieceOfLiteral) {
    const std::size_t end = std::min(items.size(), i + kPieceOfLiteral);
    pieces.push_back(library_call(span, make_map,
                                  {items.begin() + static_cast<std::ptrdiff_t>(i),
                                   items.begin() + static_cast<std::ptrdiff_t>(end)}));
  }
  return library_call(span, "merge", std::move(pieces));
}

}  // namespace chancel::front
