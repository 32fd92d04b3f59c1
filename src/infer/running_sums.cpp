// SPDX-License-Identifier: Apache-2.0
// See running_sums.hpp.
#include "infer/running_sums.hpp"

namespace chancel {

namespace {

// The sum of a piece; with kStore also start + its running sums.
template <bool kStore>
double sum_piece(const double* from, std::size_t count, double start, double* sums) {
  double sum = 0;
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const double a = from[i], b = from[i + 1], c = from[i + 2], d = from[i + 3];
    const double ab = a + b, abc = ab + c, abcd = ab + (c + d);
    if (kStore) {
      sums[i] = start + (sum + a);
      sums[i + 1] = start + (sum + ab);
      sums[i + 2] = start + (sum + abc);
      sums[i + 3] = start + (sum + abcd);
    }
    sum += abcd;
  }
  double group = 0;
  for (; i < count; ++i) {
    group += from[i];
    if (kStore) sums[i] = start + (sum + group);
  }
  return sum + group;
}

}  // namespace

double RunningSums::piece(std::span<const double> from) {
  return sum_piece<false>(from.data(), from.size(), 0, nullptr);
}
void RunningSums::piece(std::span<const double> from, double start, double* sums) {
  sum_piece<true>(from.data(), from.size(), start, sums);
}

double RunningSums::of(std::span<const double> from, double* sums, const InSlices& in_slices) {
  double start = 0;
  if (!in_slices) {
    for_pieces(from.size(), in_slices, [&](std::size_t, std::size_t begin, std::size_t end) {
      start += sum_piece<true>(from.data() + begin, end - begin, start, sums + begin);
    });
    return start;
  }
  starts_.resize(pieces_of(from.size()));
  for_pieces(from.size(), in_slices, [&](std::size_t p, std::size_t begin, std::size_t end) {
    starts_[p] = sum_piece<false>(from.data() + begin, end - begin, 0, nullptr);
  });
  for (double& s : starts_) {
    const double piece = s;
    s = start;
    start += piece;
  }
  for_pieces(from.size(), in_slices, [&](std::size_t p, std::size_t begin, std::size_t end) {
    sum_piece<true>(from.data() + begin, end - begin, starts_[p], sums + begin);
  });
  return start;
}

}  // namespace chancel
