// SPDX-License-Identifier: Apache-2.0
// Reading values back: see bytes.hpp. Every operation checks what it finds on the stack, so that
// nothing is built that a builder of the language would not build.
#include <cstring>

#include "value/big_integer.hpp"
#include "value/byte_ops.hpp"
#include "value/bytes.hpp"
#include "value/classes.hpp"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/metadata.hpp"
#include "value/native.hpp"
#include "value/record.hpp"
#include "value/run_watch.hpp"
#include "value/seq_walk.hpp"

namespace chancel {

namespace {
constexpr const char* kMalformed = "the bytes say no value";
constexpr std::uint32_t kLastCharacter = 0x10ffff;
constexpr std::uint64_t kMostInArrayMap = 8;
constexpr std::uint32_t kStepsBetweenLooks = 4096;
constexpr std::uint32_t kStepsToConstruct = 64;  // that a number or a distribution counts as
}  // namespace

bool ValueReader::read(Value* out) {
  *out = Value::nil();
  stack_.clear();
  stack_.reserve(16);  // take(0) is not null
  meta_ = Value::nil();
  for (;;) {
    const std::uint8_t op = from_.byte();
    if (!from_.ok()) return false;
    if (op == op::kEnd) break;
    if (++steps_ >= kStepsBetweenLooks) look();
    if (!step(op)) return false;
  }
  if (stack_.size() != 1 || !meta_.is_nil()) return fail(kMalformed);
  *out = stack_[0];
  return true;
}

void ValueReader::look() {
  steps_ = 0;
  if (!watch_) return;
  if (auto reason = watch_->reason_to_stop()) throw RunStopped{std::move(*reason)};
}

// An object is done: with its metadata, if some came before.
bool ValueReader::build(const Value& v) {
  Value whole = v;
  if (!meta_.is_nil()) {
    if (!carries_meta(v) || v.is(Tag::Cons)) return fail(kMalformed);
    whole = with_meta(arena_, v, meta_);
    meta_ = Value::nil();
  }
  if (!from_.charge(2 * sizeof(Value))) return false;
  built_.push_back(whole);
  push(whole);
  return from_.ok();
}

const Value* ValueReader::take(std::uint64_t count) {
  if (count > stack_.size()) {
    fail(kMalformed);
    return nullptr;
  }
  // They stay where they are until the next push.
  stack_.resize(stack_.size() - static_cast<std::size_t>(count));
  return stack_.data() + stack_.size();
}

bool ValueReader::step(std::uint8_t op) {
  if (op >= op::kSmall) {
    push(Value::integer(op - op::kSmall));
    return true;
  }
  switch (op) {
    case op::kNil:
      push(Value::nil());
      break;
    case op::kFalse:
    case op::kTrue:
      push(Value::boolean(op == op::kTrue));
      break;
    case op::kInt:
      push(Value::integer(from_.integer()));
      break;
    case op::kDouble:
      push(Value::real(from_.real()));
      break;
    case op::kChar: {
      const std::uint64_t c = from_.number();
      if (c > kLastCharacter) return fail(kMalformed);
      push(Value::character(static_cast<std::uint32_t>(c)));
      break;
    }
    case op::kKeyword:
    case op::kSymbol:
    case op::kClass: {
      std::size_t grown = 0;
      const Name* const name = intern(from_.text(), grown);
      if (!from_.charge(grown)) return false;
      push(op == op::kKeyword  ? Value::keyword(name)
           : op == op::kSymbol ? Value::symbol(name)
                               : Value::class_value(name));
      break;
    }
    case op::kNative: {
      const std::string_view name = from_.text();
      const NativeDef* native = names_ ? names_->native(name) : nullptr;
      if (!native)
        return from_.fail("they name a function that there is not: " + std::string(name));
      push(Value::native_fn(native));
      break;
    }
    case op::kEmptyList:
      push(Value::empty_list());
      break;
    case op::kAgain: {
      const std::uint64_t place = from_.number();
      if (place >= built_.size()) return fail(kMalformed);
      push(built_[static_cast<std::size_t>(place)]);
      break;
    }
    case op::kMeta: {
      const Value* meta = take(1);
      if (!meta || !meta_.is_nil() || !is_map(*meta)) return fail(kMalformed);
      meta_ = *meta;
      break;
    }
    case op::kString: {
      const std::string_view text = from_.text();
      if (text.size() > ~std::uint32_t{0}) return fail(kMalformed);
      return build(make_string(arena_, text));
    }
    case op::kBigInt:
      return big_integer();
    case op::kRatio:
      return ratio();
    case op::kCells:
      return cells();
    case op::kVector: {
      const std::uint64_t count = from_.number();
      const Value* items = take(count);
      return items && build(make_vector(arena_, items, static_cast<std::size_t>(count)));
    }
    case op::kReals:
    case op::kInts: {
      std::vector<Value> items(from_.count(op == op::kReals ? 8 : 1, sizeof(Value)));
      for (Value& item : items)
        item = op == op::kReals ? Value::real(from_.real()) : Value::integer(from_.integer());
      return build(make_vector(arena_, items.data(), items.size()));
    }
    case op::kVectorSeq:
      return vector_seq();
    case op::kRange:
      return range();
    case op::kLazySeq: {
      const Value* inside = take(1);
      if (!inside || !(inside->is_nil() || is_sequential(*inside))) return fail(kMalformed);
      const Value value = *inside;
      auto* lazy = arena_.make<LazySeq>(Tag::LazySeq);
      lazy->state = LazySeq::kRealised;
      lazy->id = 0;
      lazy->value = value;
      return build(Value::object(lazy));
    }
    case op::kArrayMap:
    case op::kHashMap:
    case op::kSortedMap:
      return map(op);
    case op::kSet:
    case op::kSortedSet:
      return set(op);
    case op::kRecord:
      return record();
    case op::kDist:
      return dist();
    case op::kReduced: {
      const Value* inside = take(1);
      if (!inside) return false;
      const Value value = *inside;
      auto* reduced = arena_.make<Reduced>(Tag::Reduced);
      reduced->value = value;
      return build(Value::object(reduced));
    }
    default:
      return fail(kMalformed);
  }
  return from_.ok();
}

bool ValueReader::big_integer() {
  const std::uint8_t signs = from_.byte();
  const std::uint64_t count = from_.count(8);
  if (!from_.ok() || (signs & 3) > 2 || signs > 6 || count == 0 || count > kMostBits / 64 + 1)
    return fail(kMalformed);
  auto* b = arena_.make<BigInt>(Tag::BigInt, 16 + 8 * static_cast<std::size_t>(count));
  b->aux = signs & 4 ? BigInt::kJava : 0;
  b->sign = (signs & 3) - 1;
  for (std::size_t i = 0; i < count; ++i) b->digits[i] = from_.word();
  const bool zero = count == 1 && b->digits[0] == 0;
  if (zero != (b->sign == 0) || (count > 1 && b->digits[count - 1] == 0)) return fail(kMalformed);
  return build(Value::object(b));
}

bool ValueReader::ratio() {
  const Value* parts = take(2);
  if (!parts || !is_integer(parts[0]) || !is_integer(parts[1]) || sign_of(parts[1]) != 1 ||
      bit_count(parts[0]) > kMostRatioBits || bit_count(parts[1]) > kMostRatioBits)
    return fail(kMalformed);
  steps_ += kStepsToConstruct;
  NativeContext cx(arena_);
  const Value v = exact_ratio(cx, "ratio", Value(parts[0]), Value(parts[1]));
  if (!cx.ok() || !v.is(Tag::Ratio)) return fail(kMalformed);
  return build(v);
}

// The innermost cell, which holds the last item, is the first to be built.
bool ValueReader::cells() {
  const std::uint64_t count = from_.number();
  if (count == 0 || count >= stack_.size()) return fail(kMalformed);
  if (!from_.charge(2 * sizeof(Value) * count)) return false;
  const Value* const parts = take(count + 1);
  Value rest = parts[count];
  if (!rest.is_nil() && (!is_seq(rest) || rest.is(Tag::EmptyList))) return fail(kMalformed);
  for (std::size_t i = static_cast<std::size_t>(count); i-- > 0;) {
    rest = cons(arena_, parts[i], rest);
    built_.push_back(rest);
  }
  if (!meta_.is_nil()) return fail(kMalformed);
  push(rest);
  return true;
}

bool ValueReader::vector_seq() {
  const std::uint64_t index = from_.number();
  const Value* vector = take(1);
  if (!vector || !vector->is(Tag::Vector) || index >= vector->as<Vector>()->count)
    return fail(kMalformed);
  return build(make_vector_seq(arena_, Value(*vector), index));
}

bool ValueReader::range() {
  const std::int64_t count = from_.integer();
  const Value* parts = take(2);
  if (!parts || count == 0 || count < -1) return fail(kMalformed);
  const Value start = parts[0], step = parts[1];
  const auto plain = [](const Value& v) { return v.is(Tag::Int) || v.is(Tag::Double); };
  if (!plain(start) || !plain(step)) return fail(kMalformed);
  if (start.is(Tag::Int) && step.is(Tag::Int) && count > 0) {
    const __int128 last =
        static_cast<__int128>(start.i) + static_cast<__int128>(step.i) * (count - 1);
    if (last != static_cast<std::int64_t>(last)) return fail(kMalformed);
  }
  auto* r = arena_.make<Range>(Tag::Range);
  r->start = start;
  r->step = step;
  r->count = count;
  return build(Value::object(r));
}

bool ValueReader::comparator(const Value& v) {
  if (v.is_nil()) return true;
  if (!v.is(Tag::Native)) return fail(kMalformed);
  const std::string_view name = v.native->name;
  return name == "<" || name == ">" || name == "compare" || fail(kMalformed);
}

bool ValueReader::map(std::uint8_t op) {
  const std::uint64_t count = from_.number();
  const bool ordered = op == op::kSortedMap;
  if (count > stack_.size() || (op == op::kArrayMap && count > kMostInArrayMap))
    return fail(kMalformed);
  const Value* at = take(2 * count + (ordered ? 1 : 0));
  if (!at || (ordered && !comparator(at[0]))) return false;
  Value map = op == op::kArrayMap  ? empty_map(arena_)
              : op == op::kHashMap ? empty_hash_map(arena_)
                                   : empty_sorted_map(arena_, *at++);
  for (std::uint64_t i = 0; i < count; ++i, at += 2) map = map_assoc(arena_, map, at[0], at[1]);
  if (map_count(map) != count) return fail(kMalformed);
  return build(map);
}

bool ValueReader::set(std::uint8_t op) {
  const std::uint64_t count = from_.number();
  const bool ordered = op == op::kSortedSet;
  if (count > stack_.size()) return fail(kMalformed);
  const Value* at = take(count + (ordered ? 1 : 0));
  if (!at || (ordered && !comparator(at[0]))) return false;
  Value set = ordered ? empty_sorted_set(arena_, *at++) : empty_set(arena_);
  for (std::uint64_t i = 0; i < count; ++i) set = set_conj(arena_, set, at[i]);
  if (set_count(set) != count) return fail(kMalformed);
  return build(set);
}

bool ValueReader::record() {
  const std::string_view name = from_.text();
  const RecordType* type = names_ ? names_->record(name) : nullptr;
  if (!from_.ok()) return false;
  if (!type || type->kind == RecordKind::Host)
    return from_.fail("they name a record type that there is not: " + std::string(name));
  const std::size_t count = type->fields.size();
  const Value* fields = take(count);
  if (!fields) return false;
  auto* r = arena_.make<Record>(Tag::Record, bytes_with<Record>(count == 0 ? 1 : count));
  r->type = type;
  r->fields[0] = Value::nil();  // also of a type without fields
  for (std::size_t i = 0; i < count; ++i) r->fields[i] = fields[i];
  return build(Value::object(r));
}

bool ValueReader::dist() {
  const std::string_view name = from_.text();
  const DistType* type = names_ ? names_->dist(name) : nullptr;
  if (!from_.ok()) return false;
  if (!type || !type->construct)
    return from_.fail("they name a distribution that there is not: " + std::string(name));
  const Value* taken = take(type->parameter_count);
  if (!taken) return false;
  const std::vector<Value> parameters(taken, taken + type->parameter_count);
  steps_ += kStepsToConstruct;
  NativeContext cx(arena_);
  cx.watch = watch_;
  const Value d = type->construct(cx, parameters.data(), type->parameter_count);
  if (!cx.ok() || !d.is(Tag::Dist)) return fail(kMalformed);
  return build(d);
}

}  // namespace chancel
