// SPDX-License-Identifier: Apache-2.0
// Uniform numbers by the array, from blocks that are made together.
#include <algorithm>

#include "random/blocks.hpp"
#include "random/stream.hpp"

namespace chancel {

void Stream::skip(std::uint64_t count) {
  if (source_) {
    for (std::uint64_t i = 0; i < count; ++i) next();
    return;
  }
  drawn_ += count;
  if (count > 0 && (drawn_ & 1) != 0) make_block(drawn_ / 2);  // its second word is next
}

void Stream::uniforms_open(double* out, std::size_t count) {
  std::size_t done = 0;
  if (!source_) {
    if ((drawn_ & 1) != 0 && done < count) out[done++] = uniform_open();
    constexpr std::size_t kBlocks = 64;
    std::uint64_t first[kBlocks], second[kBlocks];
    while (count - done >= 2) {
      const std::size_t blocks = std::min(kBlocks, (count - done) / 2);
      blocks_in_a_row(who_, drawn_ / 2, key_, blocks, first, second);
      for (std::size_t i = 0; i < blocks; ++i) {
        out[done + 2 * i] = open_uniform_of(first[i]);
        out[done + 2 * i + 1] = open_uniform_of(second[i]);
      }
      done += 2 * blocks;
      drawn_ += 2 * blocks;
    }
  }
  while (done < count) out[done++] = uniform_open();
}

}  // namespace chancel
