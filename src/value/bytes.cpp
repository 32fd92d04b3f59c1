// SPDX-License-Identifier: Apache-2.0
// Writing: see bytes.hpp. Parts go out before what is made of them; the ones of a value that is
// being written wait in open_.
#include "value/bytes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "value/big_integer.hpp"
#include "value/byte_ops.hpp"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/metadata.hpp"
#include "value/print.hpp"
#include "value/record.hpp"

namespace chancel {

struct ValueWriter::Open {
  Value v;
  std::vector<Value> parts;
  std::size_t next = 0;
};

ValueWriter::ValueWriter(ByteWriter& to, const ByteNames* names) : to_(to), names_(names) {}
ValueWriter::~ValueWriter() = default;

bool ValueWriter::refuse(std::string what) {
  if (problem_.empty()) problem_ = std::move(what) + " cannot be written as bytes";
  return false;
}

bool ValueWriter::write(const Value& v) {
  value(v);
  while (!open_.empty() && problem_.empty()) {
    Open& top = open_.back();
    if (top.next < top.parts.size()) {
      value(Value(top.parts[top.next++]));
    } else {
      const Open done = std::move(top);
      open_.pop_back();
      close(done);
    }
  }
  open_.clear();
  end_of_cells();
  to_.byte(op::kEnd);
  return problem_.empty();
}

// List cells that are built on each other are one operation.
void ValueWriter::end_of_cells() {
  if (cells_ == 0) return;
  to_.byte(op::kCells);
  to_.number(cells_);
  cells_ = 0;
}

void ValueWriter::value(const Value& v) {
  end_of_cells();
  const auto name = [&](std::uint8_t o, std::string_view text) {
    to_.byte(o);
    to_.text(text);
  };
  switch (v.tag) {
    case Tag::Nil:
      return to_.byte(op::kNil);
    case Tag::Bool:
      return to_.byte(v.bits ? op::kTrue : op::kFalse);
    case Tag::Int:
      if (v.i >= 0 && v.i < op::kSmallCount)
        return to_.byte(static_cast<std::uint8_t>(op::kSmall + v.i));
      to_.byte(op::kInt);
      return to_.integer(v.i);
    case Tag::Double:
      to_.byte(op::kDouble);
      return to_.real(v.d);
    case Tag::Char:
      to_.byte(op::kChar);
      return to_.number(v.bits);
    case Tag::Keyword:
      return name(op::kKeyword, v.name->full);
    case Tag::Symbol:
      return name(op::kSymbol, v.name->full);
    case Tag::Class:
      return name(op::kClass, v.name->full);
    case Tag::EmptyList:
      return to_.byte(op::kEmptyList);
    case Tag::Native:
      if (!names_ || !v.native || names_->native(v.native->name) != v.native) {
        refuse(fmt::format("the function {}", v.native ? v.native->name : "of an unbound name"));
        return;
      }
      return name(op::kNative, v.native->name);
    default:
      break;
  }
  if (!v.is_object()) {
    refuse("a number that depends on draws still to come");
    return;
  }
  const auto seen = places_.find(v.o);
  if (seen == places_.end()) return open(v);
  to_.byte(op::kAgain);
  to_.number(seen->second);
}

void ValueWriter::open(const Value& v) {
  Open open{v, {}, 0};
  parts_of(v, open.parts);
  if (has_meta(v)) open.parts.push_back(meta_of(v));
  open_.push_back(std::move(open));
}

void ValueWriter::parts_of(const Value& v, std::vector<Value>& parts) {
  const auto entries = [&](const Value& map) {
    map_each(map, [&](const Value& key, const Value& item) {
      parts.push_back(key);
      if (!is_set(map)) parts.push_back(item);
    });
  };
  switch (v.tag) {
    case Tag::String:
    case Tag::BigInt:
      return;
    case Tag::Ratio:
      parts = {v.as<Ratio>()->numerator, v.as<Ratio>()->denominator};
      return;
    case Tag::Cons: {
      Object* const rest = v.as<Cons>()->rest;
      parts = {v.as<Cons>()->first, rest ? Value::object(rest) : Value::nil()};
      return;
    }
    case Tag::Vector: {
      const auto* vector = v.as<Vector>();
      for (std::uint32_t i = 0; i < vector->count; ++i) parts.push_back(vector_nth(vector, i));
      const auto all = [&](Tag tag) {
        return !parts.empty() && std::all_of(parts.begin(), parts.end(),
                                             [&](const Value& part) { return part.is(tag); });
      };
      if (all(Tag::Double) || all(Tag::Int)) parts.clear();  // close() writes them all at once
      return;
    }
    case Tag::VectorSeq:
      parts = {Value::object(v.as<VectorSeq>()->vector)};
      return;
    case Tag::Range:
      parts = {v.as<Range>()->start, v.as<Range>()->step};
      return;
    case Tag::LazySeq:
      if (v.as<LazySeq>()->state == LazySeq::kRealised)
        parts = {v.as<LazySeq>()->value};
      else
        refuse("a lazy sequence that has not been realised");
      return;
    case Tag::SortedMap:
      parts = {v.as<SortedMap>()->comparator};
      return entries(v);
    case Tag::SortedSet:
      parts = {static_cast<const SortedMap*>(v.as<Set>()->map)->comparator};
      return entries(v);
    case Tag::ArrayMap:
    case Tag::HashMap:
    case Tag::Set:
      return entries(v);
    case Tag::Record: {
      const auto* r = v.as<Record>();
      if (r->type->kind == RecordKind::Host || !names_ ||
          names_->record(r->type->name->full) != r->type)
        refuse(describe(v));
      else
        parts.assign(r->fields, r->fields + r->type->fields.size());
      return;
    }
    case Tag::Dist: {
      const auto* d = v.as<Dist>();
      if (can_be_made_again(d))
        parts.assign(d->values, d->values + d->type->parameter_count);
      else
        refuse(fmt::format("the distribution {}", show(v)));
      return;
    }
    case Tag::Reduced:
      parts = {v.as<Reduced>()->value};
      return;
    default:
      refuse(describe(v));
  }
}

// A distribution is its constructor and its parameters, if these make the same object again.
bool ValueWriter::can_be_made_again(const Dist* d) {
  if (!names_ || names_->dist(d->type->name) != d->type || !d->type->construct || d->aux != 0 ||
      d->value_count < d->type->parameter_count)
    return false;
  if (!scratch_) scratch_ = std::make_unique<Heap>();
  Arena arena(*scratch_);
  NativeContext cx(arena);
  const Value again = d->type->construct(cx, d->values, d->type->parameter_count);
  if (!cx.ok() || !again.is(Tag::Dist)) return false;
  const auto* twin = again.as<Dist>();
  if (twin->type != d->type || twin->value_count != d->value_count ||
      twin->number_count != d->number_count)
    return false;
  ByteWriter one, other;
  ValueWriter write_one(one, names_), write_other(other, names_);
  for (std::uint32_t i = 0; i < d->value_count; ++i)
    if (!write_one.write(d->values[i]) || !write_other.write(twin->values[i])) return false;
  return one.bytes() == other.bytes() &&
         (d->number_count == 0 ||
          std::memcmp(d->numbers(), twin->numbers(), d->number_count * sizeof(double)) == 0);
}

void ValueWriter::close(const Open& done) {
  const Value& v = done.v;
  std::size_t count = done.parts.size();
  if (has_meta(v)) {
    end_of_cells();
    to_.byte(op::kMeta);
    --count;
  }
  if (v.is(Tag::Cons)) {
    ++cells_;
    return built(v);
  }
  end_of_cells();
  const auto counted = [&](std::uint8_t o, std::uint64_t n) {
    to_.byte(o);
    to_.number(n);
  };
  switch (v.tag) {
    case Tag::String:
      to_.byte(op::kString);
      to_.text(string_view_of(v));
      break;
    case Tag::BigInt: {
      const auto* b = v.as<BigInt>();
      to_.byte(op::kBigInt);
      to_.byte(static_cast<std::uint8_t>((b->aux == BigInt::kJava ? 4 : 0) + (b->sign + 1)));
      to_.number(digit_count(b));
      for (std::size_t i = 0; i < digit_count(b); ++i) to_.word(b->digits[i]);
      break;
    }
    case Tag::Ratio:
      to_.byte(op::kRatio);
      break;
    case Tag::Vector: {
      const auto* vector = v.as<Vector>();
      if (count == vector->count) {
        counted(op::kVector, count);
        break;
      }
      const bool reals = vector_nth(vector, 0).is(Tag::Double);
      counted(reals ? op::kReals : op::kInts, vector->count);
      for (std::uint32_t i = 0; i < vector->count; ++i)
        reals ? to_.real(vector_nth(vector, i).d) : to_.integer(vector_nth(vector, i).i);
      break;
    }
    case Tag::VectorSeq:
      counted(op::kVectorSeq, v.as<VectorSeq>()->index);
      break;
    case Tag::Range:
      to_.byte(op::kRange);
      to_.integer(v.as<Range>()->count);
      break;
    case Tag::LazySeq:
      to_.byte(op::kLazySeq);
      break;
    case Tag::ArrayMap:
      counted(op::kArrayMap, count / 2);
      break;
    case Tag::HashMap:
      counted(op::kHashMap, count / 2);
      break;
    case Tag::SortedMap:
      counted(op::kSortedMap, (count - 1) / 2);
      break;
    case Tag::Set:
      counted(op::kSet, count);
      break;
    case Tag::SortedSet:
      counted(op::kSortedSet, count - 1);
      break;
    case Tag::Record:
      to_.byte(op::kRecord);
      to_.text(v.as<Record>()->type->name->full);
      break;
    case Tag::Dist:
      to_.byte(op::kDist);
      to_.text(v.as<Dist>()->type->name);
      break;
    default:
      to_.byte(op::kReduced);
  }
  built(v);
}

}  // namespace chancel
