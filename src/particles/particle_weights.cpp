// SPDX-License-Identifier: Apache-2.0
#include "particles/particle_weights.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace chancel {

namespace {
constexpr std::size_t kLeastChunks = 4;  // of a thread's share
}

void ParticleWeights::resize(std::size_t count) {
  log_.resize(count);
  now_.resize(count);
  before_.resize(count);
}

void ParticleWeights::reset(std::size_t from, std::size_t to) {
  std::fill(log_.begin() + static_cast<std::ptrdiff_t>(from),
            log_.begin() + static_cast<std::ptrdiff_t>(to), 0.0);
}

void ParticleWeights::weigh(WorkerPool& workers, bool alone, double largest) {
  std::swap(now_, before_);
  if (!std::isinf(largest)) {
    const auto scale = [&](std::size_t begin, std::size_t end) {
      for (std::size_t c = begin; c < end; ++c) now_.scale_chunk(log_, largest, c);
    };
    if (alone && workers.slices(now_.chunks(), kLeastChunks) > 1)
      workers.for_slices(now_.chunks(), kLeastChunks,
                         [&](Worker&, std::size_t begin, std::size_t end) { scale(begin, end); });
    else
      scale(0, now_.chunks());
  }
  now_.finish(largest);
}

void ParticleWeights::weigh(WorkerPool& workers, std::size_t from, std::size_t to, double largest,
                            const std::function<void(Weights&)>& gather) {
  std::swap(now_, before_);
  if (!std::isinf(largest)) {
    const std::size_t first = from / kWeightChunk;
    const std::size_t chunks = (to + kWeightChunk - 1) / kWeightChunk - first;
    workers.for_slices(chunks, kLeastChunks, [&](Worker&, std::size_t begin, std::size_t end) {
      for (std::size_t c = first + begin; c < first + end; ++c) {
        const std::size_t whole_begin = c * kWeightChunk;
        const std::size_t whole_end = std::min(whole_begin + kWeightChunk, log_.size());
        if (from <= whole_begin && whole_end <= to)
          now_.scale_chunk(log_, largest, c);
        else
          now_.scale(log_, largest, std::max(from, whole_begin), std::min(to, whole_end));
      }
    });
    gather(now_);
  }
  now_.finish(largest);
}

}  // namespace chancel
