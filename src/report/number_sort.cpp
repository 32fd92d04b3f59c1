// SPDX-License-Identifier: Apache-2.0
#include "report/number_sort.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "report/share_work.hpp"

namespace chancel::report {
namespace {

constexpr std::size_t kSmall = 512;  // below, std::sort is faster than tables of counts
constexpr std::size_t kShared = std::size_t{1} << 17;  // from here a second thread pays
constexpr unsigned kDigit = 11;                        // bits
constexpr std::size_t kBuckets = std::size_t{1} << kDigit;

// Doubles as integers of the same order.
std::uint64_t key_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);  // -0 becomes 0
  return (bits >> 63) != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
}

// Stable sort by the bits of key(item) from `low` on, the lowest digit first.
template <class Item, class Key>
void radix_sort(std::span<Item> items, std::span<Item> spare, unsigned low, const Key& key) {
  if (items.empty()) return;
  const unsigned passes = (64 - low + kDigit - 1) / kDigit;
  std::vector<std::array<std::uint32_t, kBuckets>> counts(passes);
  for (auto& count : counts) count.fill(0);
  for (const Item& item : items) {
    std::uint64_t bits = key(item) >> low;
    for (unsigned pass = 0; pass < passes; ++pass, bits >>= kDigit) ++counts[pass][bits % kBuckets];
  }
  std::span<Item> from = items;
  std::span<Item> to = spare;
  for (unsigned pass = 0; pass < passes; ++pass) {
    auto& count = counts[pass];
    const unsigned shift = low + pass * kDigit;
    // Digits that all items share need no pass.
    if (count[(key(from.front()) >> shift) % kBuckets] == from.size()) continue;
    std::uint32_t at = 0;
    for (std::uint32_t& c : count) at += std::exchange(c, at);
    for (const Item& item : from) to[count[(key(item) >> shift) % kBuckets]++] = item;
    std::swap(from, to);
  }
  if (from.data() != items.data()) std::copy(from.begin(), from.end(), items.begin());
}

bool before(const Ranked& a, const Ranked& b) {
  return a.value != b.value ? a.value < b.value : a.row < b.row;
}

// The rows begin, begin + 1 ... of `values` in order, into `out`. Values are first sorted by where
// they lie between the least and the largest, in 2^32 steps, which takes three passes over eight
// bytes an item; the few that share a step are then put right. Values crowded into few steps (heavy
// tails, whole numbers) are sorted by all their bits instead.
void sort_part(std::span<const double> values, std::size_t begin, std::span<Ranked> out) {
  const std::size_t n = out.size();
  const auto in_place = [&] {
    for (std::size_t i = 0; i < n; ++i)
      out[i] = {values[begin + i], static_cast<std::uint32_t>(begin + i)};
  };
  if (n < kSmall) {
    in_place();
    std::sort(out.begin(), out.end(), before);
    return;
  }
  const auto part = values.subspan(begin, n);
  const auto [least, most] = std::minmax_element(part.begin(), part.end());
  const double low = *least;
  const double scale = 0x1p32 / (*most - low);
  std::size_t crowded = n;
  if (std::isfinite(scale) && scale > 0) {
    std::vector<std::uint64_t> packed(n), spare(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double step = std::min((part[i] - low) * scale, 0x1p32 - 1);
      packed[i] = static_cast<std::uint64_t>(step) << 32 | static_cast<std::uint32_t>(begin + i);
    }
    radix_sort(std::span(packed), std::span(spare), 32, [](std::uint64_t x) { return x; });
    crowded = 0;
    for (std::size_t i = 1; i < n; ++i) crowded += (packed[i] >> 32) == (packed[i - 1] >> 32);
    if (crowded <= n / 8) {
      for (std::size_t i = 0; i < n; ++i) {
        const auto row = static_cast<std::uint32_t>(packed[i]);
        out[i] = {values[row], row};
      }
      for (std::size_t i = 0; i < n;) {
        std::size_t end = i + 1;
        while (end < n && (packed[end] >> 32) == (packed[i] >> 32)) ++end;
        if (end > i + 1) std::sort(out.data() + i, out.data() + end, before);
        i = end;
      }
      return;
    }
  }
  in_place();
  std::vector<Ranked> spare(n);
  radix_sort(out, std::span(spare), 0, [](const Ranked& item) { return key_of(item.value); });
}

}  // namespace

std::vector<Ranked> ranked(std::span<const double> values, unsigned threads) {
  const std::size_t n = values.size();
  std::vector<Ranked> items(n);
  if (threads < 2 || n < kShared) {
    sort_part(values, 0, items);
    return items;
  }
  // Two halves side by side, then merged from both ends to the middle.
  const std::size_t half = n / 2;
  share_work(2, 2, [&](std::size_t part) {
    sort_part(values, part == 0 ? 0 : half,
              std::span(items).subspan(part == 0 ? 0 : half, part == 0 ? half : n - half));
  });
  std::vector<Ranked> merged(n);
  share_work(2, 2, [&](std::size_t part) {
    if (part == 0) {
      std::size_t a = 0, b = half;
      for (std::size_t out = 0; out < half; ++out)
        merged[out] = a == half || (b < n && before(items[b], items[a])) ? items[b++] : items[a++];
    } else {
      std::size_t a = half, b = n;
      for (std::size_t out = n; out-- > half;)
        merged[out] =
            b == half || (a > 0 && before(items[b - 1], items[a - 1])) ? items[--a] : items[--b];
    }
  });
  return merged;
}

void sort_numbers(std::vector<double>& values) {
  if (values.size() < kSmall) {
    std::sort(values.begin(), values.end());
    return;
  }
  std::vector<double> spare(values.size());
  radix_sort(std::span(values), std::span(spare), 0, key_of);
}

}  // namespace chancel::report
