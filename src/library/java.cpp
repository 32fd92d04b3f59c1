// SPDX-License-Identifier: Apache-2.0
// What programs call of Java's classes, for our values: texts of integers in other bases, bytes of
// strings, BigInteger, MessageDigest (MD5 and SHA-1, by Boost), Character, Thread/sleep. A byte
// array is a vector of integers from -128 to 127. The rest is in prelude/java.clj.
#include <fmt/format.h>

#include <algorithm>
#include <boost/uuid/detail/md5.hpp>
#include <boost/uuid/detail/sha1.hpp>
#include <chrono>
#include <thread>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "library/arguments.hpp"
#include "library/registry.hpp"
#include "value/big_integer.hpp"
#include "value/equality.hpp"

namespace chancel {
namespace {

// --- integers as texts, and back ---
bool read_radix(NativeContext& cx, const Value* a, std::uint32_t n, int* radix) {
  std::int64_t given = 10;
  if (n == 2 && !read_integer(cx, ".toString", a, 1, &given)) return false;
  *radix = given < 2 || given > 36 ? 10 : static_cast<int>(given);  // as Java does
  return true;
}
Value to_string(NativeContext& cx, const Value* a, std::uint32_t n) {
  int radix = 10;
  if (n == 2 && is_integer(a[0])) {
    if (!read_radix(cx, a, n, &radix)) return Value::nil();
    return make_string(*cx.arena, integer_text(&cx, a[0], radix));
  }
  const std::string text = to_str(cx, a[0]);
  return cx.ok() ? make_string(*cx.arena, text) : Value::nil();
}
// Two's complement, as Long/toHexString.
template <int bits_a_digit>
Value unsigned_text(NativeContext& cx, const Value* a, std::uint32_t) {
  std::int64_t i = 0;
  if (!read_integer(cx, "toHexString", a, 0, &i)) return Value::nil();
  const auto bits = static_cast<std::uint64_t>(i);
  return make_string(*cx.arena,
                     bits_a_digit == 4 ? fmt::format("{:x}", bits) : fmt::format("{:b}", bits));
}
Value bit_length(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!is_integer(a[0])) return cx.wrong_type(".bitLength", 0, "an integer", a[0]);
  return Value::integer(static_cast<std::int64_t>(bit_count(a[0])));
}

// --- bytes ---
bool read_bytes(NativeContext& cx, const char* function, const Value* a, int index,
                std::string* out) {
  std::vector<Value> items;
  if (!read_items(cx, function, a, index, &items)) return false;
  for (const Value& item : items) {
    if (!item.is(Tag::Int) || item.i < -128 || item.i > 255) {
      cx.fail(Code::R001, fmt::format("{}: expected bytes, got {}", function, describe(item)),
              index);
      return false;
    }
    out->push_back(static_cast<char>(item.i));
  }
  return true;
}
Value bytes_value(NativeContext& cx, std::string_view bytes) {
  std::vector<Value> items;
  cx.room_for(bytes.size() * sizeof(Value));
  for (const char c : bytes) items.push_back(Value::integer(static_cast<signed char>(c)));
  return vector_of(cx, items);
}
Value text_bytes(NativeContext& cx, const Value* a, std::uint32_t) {  // the encoding is UTF-8
  std::string_view s;
  return read_string(cx, ".getBytes", a, 0, &s) ? bytes_value(cx, s) : Value::nil();
}
// (BigInteger. "digits"), (BigInteger. "digits" radix), (BigInteger. sign bytes),
// (BigInteger. bytes)
Value new_big_integer(NativeContext& cx, const Value* a, std::uint32_t n) {
  if (a[0].is(Tag::String)) {
    std::int64_t radix = 10;
    if (n == 2 && !read_integer(cx, "BigInteger.", a, 1, &radix)) return Value::nil();
    const std::string_view digits = string_view_of(a[0]);
    cx.tick(1 + digits.size() * digits.size() / 1024);
    const auto made = radix >= 2 && radix <= 36
                          ? parse_big_integer(*cx.arena, digits, static_cast<int>(radix), true)
                          : std::nullopt;
    if (made) return *made;
    return cx.fail_as("java.lang.NumberFormatException", Code::R009,
                      fmt::format("BigInteger: {} is not an integer", show(a[0], true, 60)), 0);
  }
  std::string bytes;
  std::int64_t sign = 1;
  if (n == 2 && !read_integer(cx, "BigInteger.", a, 0, &sign)) return Value::nil();
  if (!read_bytes(cx, "BigInteger.", a, static_cast<int>(n) - 1, &bytes)) return Value::nil();
  if (8 * bytes.size() > kMostBits)
    return cx.fail(Code::R005, "BigInteger: the integer is too large", 0);
  if (n == 1 && !bytes.empty() && (bytes[0] & 0x80) != 0) {  // two's complement
    sign = -1;
    int carry = 1;
    for (std::size_t i = bytes.size(); i-- > 0;) {
      const int b = (~bytes[i] & 0xff) + carry;
      bytes[i] = static_cast<char>(b & 0xff);
      carry = b >> 8;
    }
  }
  return big_integer_of_bytes(*cx.arena, sign < 0 ? -1 : sign > 0, bytes);
}

// --- digests ---
std::string digest_of(std::string_view algorithm, std::string_view text) {
  std::string out;
  const auto add = [&](std::uint32_t word) {
    for (int i = 3; i >= 0; --i) out += static_cast<char>(word >> 8 * i & 0xff);
  };
  if (algorithm == "MD5") {
    boost::uuids::detail::md5 hash;
    boost::uuids::detail::md5::digest_type words;
    hash.process_bytes(text.data(), text.size());
    hash.get_digest(words);
    for (const auto word : words) add(static_cast<std::uint32_t>(word));
  } else if (algorithm == "SHA-1" || algorithm == "SHA1" || algorithm == "SHA") {
    boost::uuids::detail::sha1 hash;
    boost::uuids::detail::sha1::digest_type words;
    hash.process_bytes(text.data(), text.size());
    hash.get_digest(words);
    for (const auto word : words) add(static_cast<std::uint32_t>(word));
  }
  return out;
}
Value digest_bytes(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view algorithm;
  std::string bytes;
  if (!read_string(cx, "MessageDigest", a, 0, &algorithm) ||
      !read_bytes(cx, ".digest", a, 1, &bytes))
    return Value::nil();
  cx.tick(1 + bytes.size());
  const std::string digest = digest_of(algorithm, bytes);
  if (!digest.empty()) return bytes_value(cx, digest);
  return cx.fail(Code::R009, fmt::format("MessageDigest: there is no algorithm {}", algorithm), 0,
                 "MD5 and SHA-1 are there");
}

// --- texts and characters ---
Value index_or_minus_one(NativeContext& cx, const Value* a, std::uint32_t n) {
  if (a[0].is(Tag::String)) {
    std::string part;
    if (a[1].is(Tag::Char))
      append_utf8(part, static_cast<std::uint32_t>(a[1].i));
    else if (a[1].is(Tag::String))
      part = string_view_of(a[1]);
    else
      return cx.wrong_type(".indexOf", 1, "a string or a character", a[1]);
    std::int64_t from = 0;
    if (n == 3 && !read_size(cx, ".indexOf", a, 2, &from)) return Value::nil();
    const std::string_view s = string_view_of(a[0]);
    const std::size_t at = s.find(part, std::min(byte_offset(s, from), s.size()));
    if (at == s.npos) return Value::integer(-1);
    return Value::integer(character_count(s.substr(0, at)));
  }
  std::vector<Value> items;
  if (!read_items(cx, ".indexOf", a, 0, &items)) return Value::nil();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool same = equal(cx, items[i], a[1]);
    if (!cx.ok()) return Value::nil();
    if (same) return Value::integer(static_cast<std::int64_t>(i));
  }
  return Value::integer(-1);
}
using Question = bool (*)(std::int64_t);
template <Question question>
Value ask_character(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!a[0].is(Tag::Char) && !a[0].is(Tag::Int))
    return cx.wrong_type("Character", 0, "a character", a[0]);
  return Value::boolean(question(a[0].i));
}
bool is_digit(std::int64_t c) { return c >= '0' && c <= '9'; }
bool is_upper(std::int64_t c) {
  return (c >= 'A' && c <= 'Z') || (c >= 0xc0 && c <= 0xde && c != 0xd7);
}
bool is_lower(std::int64_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 0xdf && c <= 0xff && c != 0xf7);
}
bool is_letter(std::int64_t c) { return is_upper(c) || is_lower(c) || c > 0xff; }
bool is_space(std::int64_t c) {
  return c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1c && c <= 0x1f);
}
Value digit_value(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!a[0].is(Tag::Char))
    return cx.wrong_type("Character/getNumericValue", 0, "a character", a[0]);
  const std::int64_t c = a[0].i;
  const std::int64_t letter = c | 0x20;
  return Value::integer(is_digit(c)                      ? c - '0'
                        : letter >= 'a' && letter <= 'z' ? letter - 'a' + 10
                                                         : -1);
}

// --- time ---
Value sleep_for(NativeContext& cx, const Value* a, std::uint32_t) {
  std::int64_t milliseconds = 0;
  if (cx.in_query)
    return cx.fail(Code::F010, "Thread/sleep: a query cannot wait", -1, "wait at top level");
  if (!read_size(cx, "Thread/sleep", a, 0, &milliseconds)) return Value::nil();
  using Clock = std::chrono::steady_clock;
  constexpr std::int64_t kLongest = 1000LL * 60 * 60 * 24 * 365;
  const auto end = Clock::now() + std::chrono::milliseconds(std::min(milliseconds, kLongest));
  constexpr auto kStep = std::chrono::milliseconds(10);
  for (auto now = Clock::now(); now < end; now = Clock::now()) {
    std::this_thread::sleep_for(std::min<Clock::duration>(end - now, kStep));
    cx.tick(~std::uint64_t{0});  // the run may have to end
  }
  return Value::nil();
}

constexpr NativeDef kJavaNatives[] = {
    {"%to-string", 1, 2, to_string, kPure, "[x] [integer radix]", "The text of x."},
    {"%integer-text", 1, 2, to_string, kPure, "[x] [integer radix]", "The text of x."},
    {"%hex-text", 1, 1, unsigned_text<4>, kPure, "[x]", "The bits of an integer in base 16."},
    {"%binary-text", 1, 1, unsigned_text<1>, kPure, "[x]", "The bits of an integer in base 2."},
    {"%bit-length", 1, 1, bit_length, kPure, "[x]", "The number of bits of an integer."},
    {"%text-bytes", 1, 2, text_bytes, kPure, "[s] [s encoding]", "The bytes of a string in UTF-8."},
    {"%new-biginteger", 1, 2, new_big_integer, kPure, "[text] [text radix] [bytes] [sign bytes]",
     "A BigInteger."},
    {"%digest-bytes", 2, 2, digest_bytes, kPure, "[algorithm bytes]", "The digest of the bytes."},
    {"%index-or-minus-one", 2, 3, index_or_minus_one, kPure, "[s part] [s part from]",
     "Where the part is found, or -1."},
    {"%digit?", 1, 1, ask_character<is_digit>, kPure, "[c]", "True for a digit."},
    {"%letter?", 1, 1, ask_character<is_letter>, kPure, "[c]", "True for a letter."},
    {"%whitespace?", 1, 1, ask_character<is_space>, kPure, "[c]", "True for white space."},
    {"%upper?", 1, 1, ask_character<is_upper>, kPure, "[c]", "True for an upper case letter."},
    {"%lower?", 1, 1, ask_character<is_lower>, kPure, "[c]", "True for a lower case letter."},
    {"%digit-value", 1, 1, digit_value, kPure, "[c]", "The value of a digit or letter, or -1."},
    {"%sleep", 1, 1, sleep_for, kTopLevelOnly, "[milliseconds]", "Waits."},
};

}  // namespace

std::span<const NativeDef> java_natives() { return kJavaNatives; }

}  // namespace chancel
