// SPDX-License-Identifier: Apache-2.0
// Quoted data as values, and values that macros give back as data. Both recurse over the data, no
// deeper than the reader goes.
#include "front/front.hpp"
#include "reader/reader.hpp"
#include "value/big_integer.hpp"
#include "value/collections.hpp"
#include "value/metadata.hpp"
#include "value/print.hpp"

namespace chancel {

namespace {

// Of decimal digits; `big`: as a BigInt even if 64 bits suffice.
Value integer_value(std::string_view digits, bool big, Arena& arena) {
  const Value integer = parse_big_integer(arena, digits).value_or(Value::nil());
  const auto small = big ? std::nullopt : small_integer(integer);
  return small ? Value::integer(*small) : integer;
}

Value ratio_value(const Datum& datum, Arena& arena) {
  Value numerator = Value::integer(datum.integer);
  Value denominator = Value::integer(datum.denominator);
  if (datum.denominator == 0) {
    const std::size_t slash = datum.text.find('/');
    numerator = integer_value(std::string_view(datum.text).substr(0, slash), false, arena);
    denominator = integer_value(std::string_view(datum.text).substr(slash + 1), false, arena);
  }
  auto* ratio = arena.make<Ratio>(Tag::Ratio);
  ratio->numerator = numerator;
  ratio->denominator = denominator;
  return Value::object(ratio);
}

std::vector<Value> item_values(const Datum& datum, Arena& arena) {
  std::vector<Value> items;
  items.reserve(datum.items.size());
  for (const Datum& item : datum.items) items.push_back(datum_to_value(item, arena));
  return items;
}

// With the metadata of the datum. (Lists are code more often than data: theirs is left out.)
Value described(const Datum& datum, const Value& value, Arena& arena) {
  return datum.meta ? with_meta(arena, value, datum_to_value(*datum.meta, arena)) : value;
}

class ValueReader {
 public:
  ValueReader(Span span, Budget* budget, const ObjectNamer& object)
      : span_(span), budget_(budget), object_(object) {}

  Datum read(const Value& value) {
    Datum datum = level_ < kMaxNesting ? of(value) : too_deep();
    if (budget_) budget_->take(cost_of(datum));
    return datum;
  }
  bool ok() const { return !too_deep_; }

 private:
  Datum too_deep() {
    too_deep_ = true;
    return make_nil(span_);
  }

  Datum blank(DatumKind kind) const {
    Datum datum;
    datum.kind = kind;
    datum.span = span_;
    return datum;
  }

  Datum sequence(DatumKind kind, const Value& value) {
    Datum datum = blank(kind);
    ++level_;
    for (SeqCursor at(cx_, value, "macro", 0); !too_deep_ && at.next();)
      datum.items.push_back(read(at.item()));
    --level_;
    return datum;
  }

  Datum of(const Value& value);

  Span span_;
  Budget* budget_;
  const ObjectNamer& object_;
  // What comes here is realised: the arena only lays out sets.
  Heap heap_;
  Arena arena_{heap_};
  NativeContext cx_{arena_};
  int level_ = 0;
  bool too_deep_ = false;
};

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
    case DatumKind::BigInt:
      return integer_value(datum.text, true, arena);
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
      return described(datum, make_vector(arena, items.data(), items.size()), arena);
    }
    case DatumKind::Map: {
      Value map = empty_map(arena);
      for (std::size_t i = 0; i + 1 < datum.items.size(); i += 2)
        map = map_assoc(arena, map, datum_to_value(datum.items[i], arena),
                        datum_to_value(datum.items[i + 1], arena));
      return described(datum, map, arena);
    }
    case DatumKind::Set: {
      Value set = empty_set(arena);
      for (const Datum& item : datum.items) set = set_conj(arena, set, datum_to_value(item, arena));
      return described(datum, set, arena);
    }
  }
  return Value::nil();
}

std::vector<Value> read_values(const SourceMap& sources, std::uint32_t file, Arena& arena,
                               DiagnosticSink& sink, Budget* budget) {
  const std::vector<Datum> forms = read_all(sources, file, sink, budget);
  std::vector<Value> values;
  if (sink.has_errors()) return values;
  for (const Datum& form : forms) values.push_back(datum_to_value(form, arena));
  return values;
}

Datum ValueReader::of(const Value& value) {
  switch (value.tag) {
    case Tag::Nil:
      return make_nil(span_);
    case Tag::Bool:
      return make_bool(value.truthy(), span_);
    case Tag::Int:
      return make_int(value.i, span_);
    case Tag::Double: {
      Datum datum = blank(DatumKind::Double);
      datum.real = value.d;
      return datum;
    }
    case Tag::Ratio: {
      Datum datum = blank(DatumKind::Ratio);
      const auto* ratio = value.as<Ratio>();
      if (ratio->numerator.is(Tag::Int) && ratio->denominator.is(Tag::Int)) {
        datum.integer = ratio->numerator.i;
        datum.denominator = ratio->denominator.i;
      } else {
        datum.denominator = 0;
        datum.text =
            integer_text(&cx_, ratio->numerator) + "/" + integer_text(&cx_, ratio->denominator);
      }
      return datum;
    }
    case Tag::BigInt: {
      Datum datum = blank(DatumKind::BigInt);
      datum.text = integer_text(&cx_, value);
      return datum;
    }
    case Tag::Char: {
      Datum datum = blank(DatumKind::Char);
      datum.integer = value.i;
      return datum;
    }
    case Tag::Keyword:
      return make_keyword(value.name->full, span_);
    case Tag::Symbol:
      return make_symbol(value.name->full, span_);
    case Tag::String:
      return make_string(std::string(string_view_of(value)), span_);
    case Tag::EmptyList:
      return make_list({}, span_);
    case Tag::Cons:
    case Tag::VectorSeq:
    case Tag::Range:
    case Tag::LazySeq:
      return sequence(DatumKind::List, value);
    case Tag::Vector:
      return sequence(DatumKind::Vector, value);
    case Tag::Set:
    case Tag::SortedSet:
      return sequence(DatumKind::Set, value);
    case Tag::ArrayMap:
    case Tag::HashMap:
    case Tag::SortedMap: {
      Datum datum = blank(DatumKind::Map);
      ++level_;
      map_each(value, [&](const Value& key, const Value& item) {
        if (too_deep_) return;
        datum.items.push_back(read(key));
        datum.items.push_back(read(item));
      });
      --level_;
      return datum;
    }
    case Tag::Class:
      return make_symbol(value.name->full, span_);
    default:
      return object_ ? object_(value, span_) : make_symbol(show(value), span_);
  }
}

std::optional<Datum> value_to_datum(const Value& value, Span span, Budget* budget,
                                    const ObjectNamer& object) {
  ValueReader reader(span, budget, object);
  Datum datum = reader.read(value);
  if (!reader.ok()) return std::nullopt;
  return datum;
}

}  // namespace chancel
