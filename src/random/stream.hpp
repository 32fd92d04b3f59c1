// SPDX-License-Identifier: Apache-2.0
// Counter-based random streams (Philox4x32-10). A stream is named, not seeded: the key
// and the first half of the counter say whose draws these are (seed, run, sweep, particle slot, barrier),
// the second half counts blocks of draws. So the same names give the same draws on any
// thread, in any order, after a resume, with either compiler. 48 bytes, no shared state.
// StreamName::child() derives the name of a part (a chain, a sweep, a nested inference).
#pragma once
#include <cstddef>
#include <cstdint>

#include "random/philox.hpp"

namespace chancel {

// 64-bit mix (splitmix64 finaliser) used to derive keys.
inline std::uint64_t mix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

struct StreamName {
  std::uint64_t key = 0;
  // Part `index` of kind `kind` (any small constants that the caller keeps apart).
  StreamName child(std::uint64_t kind, std::uint64_t index) const {
    return {mix64(mix64(key ^ (kind * 0xd6e8feb86659fd93ull)) + index)};
  }
};

class Stream {
 public:
  Stream() { reset({}, 0, 0); }
  // Draws of `slot` (particle, chain ...) at `step` (barrier) under this name.
  Stream(StreamName name, std::uint32_t slot, std::uint32_t step) { reset(name, slot, step); }
  // The first block is computed here: it depends on nothing else, so the processor overlaps it with
  // what an execution does before it draws.
  void reset(StreamName name, std::uint32_t slot, std::uint32_t step) {
    key_ = name.key;
    who_ = (static_cast<std::uint64_t>(slot) << 32) | step;
    drawn_ = 0;
    make_block(0);
  }
  // The same, where the first block is known already (random/blocks.hpp).
  void reset(StreamName name, std::uint32_t slot, std::uint32_t step, std::uint64_t first,
             std::uint64_t second) {
    key_ = name.key;
    who_ = (static_cast<std::uint64_t>(slot) << 32) | step;
    drawn_ = 0;
    ready_[0] = first;
    ready_[1] = second;
  }

  // Replaces the generator (tests only): when set, every draw comes from it. See test/exact.
  struct Source {
    virtual ~Source() = default;
    virtual std::uint64_t next() = 0;
  };
  void set_source(Source* source) { source_ = source; }
  Source* source() const { return source_; }

  std::uint64_t next() {
    const std::uint64_t at = drawn_++;
    if (source_) return source_->next();
    if (at & 1) return ready_[1];
    if (at != 0) make_block(at / 2);
    return ready_[0];
  }
  // Uniform on [0, 1): multiples of 2^-53.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  // Uniform on (0, 1): never 0 or 1; for logarithms and quantiles.
  double uniform_open() { return open_uniform_of(next()); }
  // The results of `count` calls of uniform_open().
  void uniforms_open(double* out, std::size_t count);
  // Skips `count` numbers.
  void skip(std::uint64_t count);
  // Uniform on 0 .. n-1, exactly (rejection). n > 0.
  std::uint64_t below(std::uint64_t n) {
    for (;;) {
      const std::uint64_t x = next();
      const unsigned __int128 m = static_cast<unsigned __int128>(x) * n;
      const auto low = static_cast<std::uint64_t>(m);
      if (low >= n || low >= (0 - n) % n) return static_cast<std::uint64_t>(m >> 64);
    }
  }
  double normal();       // standard normal (random/normal.cpp)
  double exponential();  // standard exponential

  // Nothing has been drawn since reset().
  bool untouched() const { return drawn_ == 0; }
  std::uint64_t drawn() const { return drawn_; }
  // A nested inference derives its own name from here; takes one number.
  StreamName nested(std::uint64_t kind) {
    return StreamName{mix64(key_ ^ mix64(who_))}.child(kind, next());
  }

 private:
  static double open_uniform_of(std::uint64_t word) {
    return (static_cast<double>(word >> 12) + 0.5) * 0x1.0p-52;
  }
  void make_block(std::uint64_t index) { philox4x32(who_, index, key_, ready_); }

  std::uint64_t key_ = 0;
  std::uint64_t who_ = 0;
  std::uint64_t drawn_ = 0;  // numbers taken since reset()
  std::uint64_t ready_[2];   // the block that they come from
  Source* source_ = nullptr;
};

}  // namespace chancel
