// SPDX-License-Identifier: Apache-2.0
// A tempered run on several ranks (docs/decisions/023-ranks.md). The i-th chain of a temperature, and the
// i-th draw from the prior, is run by rank i mod R. All ranks learn what the next temperature has to know of
// every state, so each of them chooses the same starts and tunes the moves alike. The draws themselves go
// with those that are chosen as starts, and what the last states give goes to the first rank.
#pragma once
#include <functional>
#include <optional>

#include "base/bytes.hpp"
#include "diag/diagnostic.hpp"
#include "ranks/ranks.hpp"

namespace chancel {

class TemperedRanks {
 public:
  explicit TemperedRanks(Ranks* ranks) : ranks_(ranks) {}  // null: one process

  bool several() const { return ranks_ != nullptr; }
  bool first() const { return rank() == 0; }
  unsigned rank() const { return ranks_ ? ranks_->rank() : 0; }
  unsigned size() const { return ranks_ ? ranks_->size() : 1; }
  unsigned rank_of(std::size_t i) const { return static_cast<unsigned>(i % size()); }
  // How many of 0 .. count - 1 are run here, and the n-th of them.
  std::size_t share_of(std::size_t count) const {
    return count > rank() ? (count - rank() + size() - 1) / size() : 0;
  }
  std::size_t item(std::size_t n) const { return rank() + n * size(); }

  struct Failure {
    std::size_t at;  // chain or draw
    Diagnostic why;
  };
  // Every rank gives what it has written, or how it has failed; read(rank, in) is called for the bytes of
  // each other one. Returns the failure that one process would have met first.
  using Read = std::function<void(unsigned rank, ByteReader& in)>;
  std::optional<Diagnostic> exchange(const std::optional<Failure>& mine, ByteWriter& written,
                                     const Read& read);

  // To the first rank: bytes, or why there are none. There, of each rank, and the failure if there is one.
  void give(std::string bytes, const std::optional<Diagnostic>& failure);
  std::optional<Diagnostic> take(const Read& read);

 private:
  Ranks* ranks_;
};

}  // namespace chancel
