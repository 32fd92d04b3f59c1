// SPDX-License-Identifier: Apache-2.0
// Running sums of an array: the same bits on any number of threads. Numbers are added in pieces of a fixed size,
// and the pieces in order; within a piece in groups of four, so that only one addition in four waits for
// another. They never decrease where no number is negative, and stay as they are where one is zero.
#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>

namespace chancel {

// Calls work(begin, end) for slices of 0 .. count-1, on several threads at once. Empty: on this one.
using InSlices =
    std::function<void(std::size_t count, const std::function<void(std::size_t, std::size_t)>&)>;

class RunningSums {
 public:
  static constexpr std::size_t kPiece = 512;
  // Of one piece: its sum, and its running sums when `start` is the sum before it. (Those of its first numbers are the
  // same bits without the others.)
  static double piece(std::span<const double> from);
  static void piece(std::span<const double> from, double start, double* sums);
};

inline std::size_t pieces_of(std::size_t count) {
  return (count + RunningSums::kPiece - 1) / RunningSums::kPiece;
}
// Calls work(piece, begin, end) for the pieces of an array.
template <class Work>
void for_pieces(std::size_t count, const InSlices& in_slices, const Work& work) {
  const auto slice = [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p)
      work(p, p * RunningSums::kPiece, std::min(count, (p + 1) * RunningSums::kPiece));
  };
  if (in_slices)
    in_slices(pieces_of(count), slice);
  else
    slice(0, pieces_of(count));
}

}  // namespace chancel
