// SPDX-License-Identifier: Apache-2.0
// A sum of doubles without rounding: numbers are added and taken away, and the sum is rounded once, when it is asked
// for. So it depends neither on the order of its terms nor on what was in it before. The sum is an integer in units of
// the smallest double, in digits of 32 bits, each in a word with room for carries; a term meets three of them.
// (Neal 2015, "Fast exact summation using small and large superaccumulators".)
#pragma once
#include <cstdint>
#include <cstring>

namespace chancel {

class ExactSum {
 public:
  void add(double x) { change(x, 1); }
  void subtract(double x) { change(x, -1); }
  // The nearest double, ties to even. NaN: a term is NaN, or there are infinite ones of both signs.
  double value() const;

 private:
  static constexpr int kDigits = 68;  // 2098 bits of the doubles, and carries
  static constexpr std::uint32_t kMostTerms = 1u << 29;

  [[gnu::always_inline]] void change(double x, int sign) {
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    const auto exponent = static_cast<std::uint32_t>(bits >> 52) & 0x7ff;
    std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
    if (__builtin_expect(exponent == 0x7ff, 0))
      return change_special(mantissa != 0, bits >> 63, sign);
    if (exponent > 0) mantissa |= std::uint64_t{1} << 52;
    if (mantissa == 0) return;
    if (__builtin_expect(++terms_ == kMostTerms, 0)) carry();
    const std::uint32_t at = exponent > 0 ? exponent - 1 : 0;
    const int first = static_cast<int>(at >> 5);
    const auto shifted = static_cast<unsigned __int128>(mantissa) << (at & 31);
    const auto low = static_cast<std::uint64_t>(shifted);
    const std::int64_t s = (bits >> 63) != 0 ? -sign : sign;
    digits_[first] += s * static_cast<std::int64_t>(low & 0xffffffff);
    digits_[first + 1] += s * static_cast<std::int64_t>(low >> 32);
    digits_[first + 2] += s * static_cast<std::int64_t>(shifted >> 64);
    if (first < lowest_) lowest_ = first;
    if (first + 2 > highest_) highest_ = first + 2;
  }
  void change_special(bool is_nan, bool negative, int sign);
  void carry();

  std::int64_t digits_[kDigits] = {};
  int lowest_ = kDigits, highest_ = -1;                  // digits outside are zero
  std::uint32_t terms_ = 0;                              // since the last carry
  std::int64_t nans_ = 0, positive_ = 0, negative_ = 0;  // terms that are not finite
};

}  // namespace chancel
