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

}  // namespace chancel
