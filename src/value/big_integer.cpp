// SPDX-License-Identifier: Apache-2.0
// See big_integer.hpp.
#include "value/big_integer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <iterator>
#include <vector>

#include "diag/diagnostic.hpp"
#include "value/print.hpp"

namespace chancel {

namespace {

namespace mp = boost::multiprecision;
using Integer = mp::cpp_int;

Integer integer(const Value& v) {
  if (v.is(Tag::Int)) return v.i;
  const auto* b = v.as<BigInt>();
  Integer out;
  mp::import_bits(out, b->digits, b->digits + digit_count(b), 64, false);
  return b->sign < 0 ? Integer(-out) : out;
}

Value value_of(Arena& arena, const Integer& n, bool java = false) {
  std::vector<std::uint64_t> digits;
  mp::export_bits(n, std::back_inserter(digits), 64, false);
  while (digits.size() > 1 && digits.back() == 0) digits.pop_back();
  if (digits.empty()) digits.push_back(0);
  auto* b = arena.make<BigInt>(Tag::BigInt, 16 + 8 * digits.size());
  b->aux = java ? BigInt::kJava : 0;
  b->sign = n.sign();
  std::copy(digits.begin(), digits.end(), b->digits);
  return Value::object(b);
}

// A part of a ratio: 64 bits where they suffice.
Value part_of(Arena& arena, const Integer& n) {
  if (n >= INT64_MIN && n <= INT64_MAX) return Value::integer(static_cast<std::int64_t>(n));
  return value_of(arena, n);
}

struct Fraction {
  Integer numerator;
  Integer denominator = 1;
};
Fraction fraction(const Value& v) {
  if (!v.is(Tag::Ratio)) return {integer(v)};
  return {integer(v.as<Ratio>()->numerator), integer(v.as<Ratio>()->denominator)};
}

std::size_t bits_of(const Value& v) {
  if (!v.is(Tag::Ratio)) return bit_count(v);
  return std::max(bit_count(v.as<Ratio>()->numerator), bit_count(v.as<Ratio>()->denominator));
}

Value too_large(NativeContext& cx, const char* function) {
  return cx.fail(Code::R005,
                 fmt::format("{}: the result is too large: integers have at most {} bits, parts of "
                             "ratios {}",
                             function, kMostBits, kMostRatioBits));
}

// The top 64 bits of a magnitude, the lowest of them set when anything below is: rounding it to a
// double rounds the whole once, as long as the result is a normal number.
double rounded(const Integer& magnitude, int exponent) {
  if (magnitude.is_zero()) return 0;
  const auto top = static_cast<int>(mp::msb(magnitude));
  if (top < 64)
    return std::ldexp(static_cast<double>(static_cast<std::uint64_t>(magnitude)), exponent);
  const int below = top - 63;
  auto head = static_cast<std::uint64_t>(magnitude >> below);
  if (static_cast<int>(mp::lsb(magnitude)) < below) head |= 1;
  return std::ldexp(static_cast<double>(head), below + exponent);
}

// Work in steps of about a nanosecond each, before it is done.
void pay_for(NativeContext& cx, std::size_t bits_a, std::size_t bits_b) {
  cx.tick(1 + (bits_a / 64) * (bits_b / 64) / 4 + (bits_a + bits_b) / 64);
  cx.room_for((bits_a + bits_b) / 4 + 64);
}

}  // namespace

std::size_t bit_count(const Value& v) {
  if (v.is(Tag::BigInt)) {
    const auto* b = v.as<BigInt>();
    const std::size_t n = digit_count(b);
    return 64 * (n - 1) + static_cast<std::size_t>(std::bit_width(b->digits[n - 1]));
  }
  const auto bits = static_cast<std::uint64_t>(v.i);
  return static_cast<std::size_t>(std::bit_width(v.i < 0 ? 0 - bits : bits));
}

Value make_big_integer(Arena& arena, std::int64_t i, bool java) {
  auto* b = arena.make<BigInt>(Tag::BigInt, sizeof(BigInt));
  b->aux = java ? BigInt::kJava : 0;
  b->sign = i < 0 ? -1 : i > 0;
  const auto bits = static_cast<std::uint64_t>(i);
  b->digits[0] = i < 0 ? 0 - bits : bits;
  return Value::object(b);
}

std::optional<Value> parse_big_integer(Arena& arena, std::string_view text, int base, bool java) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t bits_a_digit = static_cast<std::size_t>(std::bit_width(unsigned(base - 1)));
  if (text.empty() || text.size() > kMostBits / bits_a_digit) return std::nullopt;
  // As many digits at a time as fit into 64 bits.
  Integer n = 0;
  std::uint64_t chunk = 0, scale = 1;
  const auto flush = [&] {
    n = n * scale + chunk;
    chunk = 0;
    scale = 1;
  };
  for (const char c : text) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 10
                      : c >= 'A' && c <= 'Z' ? c - 'A' + 10
                                             : 99;
    if (digit >= base) return std::nullopt;
    chunk = chunk * static_cast<std::uint64_t>(base) + static_cast<std::uint64_t>(digit);
    scale *= static_cast<std::uint64_t>(base);
    if (scale >= (std::uint64_t{1} << 58)) flush();
  }
  flush();
  if (negative) n = -n;
  return value_of(arena, n, java);
}

Value big_integer_of_bytes(Arena& arena, int sign, std::string_view bytes) {
  Integer n;
  const auto* from = reinterpret_cast<const unsigned char*>(bytes.data());
  if (!bytes.empty()) mp::import_bits(n, from, from + bytes.size(), 8, true);
  if (sign < 0) n = -n;
  return value_of(arena, sign == 0 ? Integer(0) : n, true);
}

Value as_big_integer(Arena& arena, const Value& v, bool java) {
  if (v.is(Tag::Int)) return make_big_integer(arena, v.i, java);
  if ((v.o->aux == BigInt::kJava) == java) return v;
  return value_of(arena, integer(v), java);
}

std::optional<std::int64_t> small_integer(const Value& v) {
  if (v.is(Tag::Int)) return v.i;
  const auto* b = v.as<BigInt>();
  if (digit_count(b) > 1) return std::nullopt;
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;
  const std::uint64_t magnitude = b->digits[0];
  if (b->sign < 0 ? magnitude > kHalf : magnitude >= kHalf) return std::nullopt;
  return static_cast<std::int64_t>(b->sign < 0 ? 0 - magnitude : magnitude);
}

bool is_odd(const Value& v) {
  return ((v.is(Tag::Int) ? static_cast<std::uint64_t>(v.i) : v.as<BigInt>()->digits[0]) & 1) != 0;
}

int sign_of(const Value& v) {
  if (v.is(Tag::BigInt)) return static_cast<int>(v.as<BigInt>()->sign);
  return v.i < 0 ? -1 : v.i > 0;
}

double integer_to_double(const Value& v) {
  if (v.is(Tag::Int)) return static_cast<double>(v.i);
  const double magnitude = rounded(abs(integer(v)), 0);
  return v.as<BigInt>()->sign < 0 ? -magnitude : magnitude;
}

int compare_integers(const Value& a, const Value& b) {
  const auto i = small_integer(a), j = small_integer(b);
  if (i && j) return *i < *j ? -1 : *i > *j;
  if (sign_of(a) != sign_of(b)) return sign_of(a) < sign_of(b) ? -1 : 1;
  if (bit_count(a) != bit_count(b))
    return (bit_count(a) < bit_count(b)) == (sign_of(a) > 0) ? -1 : 1;
  const auto *x = a.as<BigInt>(), *y = b.as<BigInt>();  // both large: they have the same digits
  for (std::size_t k = digit_count(x); k-- > 0;)
    if (x->digits[k] != y->digits[k])
      return (x->digits[k] < y->digits[k]) == (x->sign > 0) ? -1 : 1;
  return 0;
}

std::string integer_text(NativeContext* cx, const Value& v, int base) {
  if (const auto small = small_integer(v); small && base == 10) return fmt::format("{}", *small);
  constexpr std::size_t kMostUnasked = std::size_t{1} << 14;
  if (cx == nullptr && bit_count(v) > kMostUnasked)
    return fmt::format("#<integer of {} bits>", bit_count(v));
  // Digits of the base from the lowest up, as many at a time as fit into a word.
  std::vector<std::uint64_t> left;
  if (v.is(Tag::Int))
    left = {v.i < 0 ? 0 - static_cast<std::uint64_t>(v.i) : static_cast<std::uint64_t>(v.i)};
  else
    left.assign(v.as<BigInt>()->digits, v.as<BigInt>()->digits + digit_count(v.as<BigInt>()));
  const auto radix = static_cast<std::uint64_t>(base);
  std::uint64_t scale = radix;
  int digits_at_a_time = 1;
  for (; scale <= ~std::uint64_t{0} / radix; ++digits_at_a_time) scale *= radix;
  std::string text;
  while (!left.empty()) {
    if (cx != nullptr) cx->tick(left.size());
    unsigned __int128 rest = 0;
    for (std::size_t k = left.size(); k-- > 0;) {
      rest = rest << 64 | left[k];
      left[k] = static_cast<std::uint64_t>(rest / scale);
      rest %= scale;
    }
    while (!left.empty() && left.back() == 0) left.pop_back();
    auto part = static_cast<std::uint64_t>(rest);
    for (int k = 0; k < digits_at_a_time && (part > 0 || !left.empty()); ++k, part /= radix)
      text += "0123456789abcdefghijklmnopqrstuvwxyz"[part % radix];
  }
  if (text.empty()) text = "0";
  if (sign_of(v) < 0) text += '-';
  std::reverse(text.begin(), text.end());
  return text;
}

std::uint32_t big_integer_hash(const Value& v) {
  std::uint32_t h = 0;
  const auto add = [&](std::uint64_t digit) {
    h = 31 * h + static_cast<std::uint32_t>(digit >> 32);
    h = 31 * h + static_cast<std::uint32_t>(digit);
  };
  if (v.is(Tag::Int)) {
    const auto bits = static_cast<std::uint64_t>(v.i);
    add(v.i < 0 ? 0 - bits : bits);
  } else {
    const auto* b = v.as<BigInt>();
    for (std::size_t k = digit_count(b); k-- > 0;) add(b->digits[k]);
  }
  return sign_of(v) < 0 ? 0 - h : h;
}

Value exact_ratio(NativeContext& cx, const char* function, const Value& numerator,
                  const Value& denominator) {
  return exact(cx, function, ExactOp::Divide, numerator, denominator);
}

Value exact(NativeContext& cx, const char* function, ExactOp op, const Value& a, const Value& b) {
  const std::size_t bits_a = bits_of(a), bits_b = bits_of(b);
  const bool ratios = a.is(Tag::Ratio) || b.is(Tag::Ratio) || op == ExactOp::Divide;
  // With ratios, numerators and denominators are multiplied crosswise, and divided by their gcd.
  const std::size_t most =
      op == ExactOp::Multiply || ratios ? bits_a + bits_b + 1 : std::max(bits_a, bits_b) + 1;
  if (most > (ratios ? 4 * kMostRatioBits : kMostBits)) return too_large(cx, function);
  pay_for(cx, bits_a + 64, bits_b + 64);
  if (ratios) cx.tick(1 + (most / 64) * (most / 64) / 2);
  if (!ratios) {
    const Integer x = integer(a), y = integer(b);
    switch (op) {
      case ExactOp::Add:
        return value_of(*cx.arena, x + y);
      case ExactOp::Subtract:
        return value_of(*cx.arena, x - y);
      case ExactOp::Multiply:
        return value_of(*cx.arena, x * y);
      case ExactOp::Quotient:
        return value_of(*cx.arena, x / y);
      default:
        return value_of(*cx.arena, x % y);
    }
  }
  const Fraction x = fraction(a), y = fraction(b);
  Fraction out;
  switch (op) {
    case ExactOp::Add:
      out = {x.numerator * y.denominator + y.numerator * x.denominator,
             x.denominator * y.denominator};
      break;
    case ExactOp::Subtract:
      out = {x.numerator * y.denominator - y.numerator * x.denominator,
             x.denominator * y.denominator};
      break;
    case ExactOp::Multiply:
      out = {x.numerator * y.numerator, x.denominator * y.denominator};
      break;
    case ExactOp::Divide:
      out = {x.numerator * y.denominator, x.denominator * y.numerator};
      break;
    case ExactOp::Quotient:
      return value_of(*cx.arena,
                      Integer((x.numerator * y.denominator) / (x.denominator * y.numerator)));
    case ExactOp::Remainder:
      out = {(x.numerator * y.denominator) % (y.numerator * x.denominator),
             x.denominator * y.denominator};
      break;
  }
  if (out.denominator.sign() < 0) out = {-out.numerator, -out.denominator};
  const Integer divisor = gcd(out.numerator, out.denominator);
  if (divisor > 1) out = {out.numerator / divisor, out.denominator / divisor};
  if (out.denominator == 1) return value_of(*cx.arena, out.numerator);
  if (mp::msb(out.denominator) >= kMostRatioBits || mp::msb(abs(out.numerator)) >= kMostRatioBits)
    return too_large(cx, function);
  const Value numerator = part_of(*cx.arena, out.numerator);
  const Value denominator = part_of(*cx.arena, out.denominator);
  auto* r = cx.arena->make<Ratio>(Tag::Ratio);
  r->numerator = numerator;
  r->denominator = denominator;
  return Value::object(r);
}

Value exact_power(NativeContext& cx, const char* function, const Value& base, std::int64_t n) {
  const std::size_t bits = bit_count(base);
  if (bits > 1 && static_cast<std::uint64_t>(n) > kMostBits / (bits - 1))
    return too_large(cx, function);
  if (bits <= 1)  // 0, 1 and -1
    return make_big_integer(*cx.arena, n == 0                            ? 1
                                       : sign_of(base) < 0 && n % 2 == 0 ? 1
                                                                         : sign_of(base));
  pay_for(cx, bits * static_cast<std::size_t>(n) + 64, bits * static_cast<std::size_t>(n) + 64);
  return value_of(*cx.arena, mp::pow(integer(base), static_cast<unsigned>(n)));
}

int compare_exact(const Value& a, const Value& b) {
  if (!a.is(Tag::Ratio) && !b.is(Tag::Ratio)) return compare_integers(a, b);
  const Fraction x = fraction(a), y = fraction(b);
  const int order = Integer(x.numerator * y.denominator).compare(y.numerator * x.denominator);
  return order < 0 ? -1 : order > 0;
}

double ratio_to_double(const Value& v) {
  const auto* r = v.as<Ratio>();
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  if (r->numerator.is(Tag::Int) && r->denominator.is(Tag::Int) && r->numerator.i <= kExact &&
      r->numerator.i >= -kExact && r->denominator.i <= kExact)
    return static_cast<double>(r->numerator.i) / static_cast<double>(r->denominator.i);
  // The numerator is shifted so that the quotient has at least 66 bits; one more below is for the
  // rest.
  Fraction f = fraction(v);
  const bool negative = f.numerator.sign() < 0;
  if (negative) f.numerator = -f.numerator;
  const int shift = std::max(
      0, static_cast<int>(mp::msb(f.denominator)) - static_cast<int>(mp::msb(f.numerator)) + 66);
  f.numerator <<= shift;
  Integer quotient, rest;
  mp::divide_qr(f.numerator, f.denominator, quotient, rest);
  quotient = (quotient << 1) | (rest.is_zero() ? 0 : 1);
  const double magnitude = rounded(quotient, -shift - 1);
  return negative ? -magnitude : magnitude;
}

}  // namespace chancel
