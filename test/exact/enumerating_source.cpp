// SPDX-License-Identifier: Apache-2.0
// See enumerating_source.hpp.
#include "enumerating_source.hpp"

namespace exact {

namespace {

std::uint64_t middle(unsigned cell, unsigned cells) {
  return static_cast<std::uint64_t>((static_cast<long double>(cell) + 0.5L) /
                                    static_cast<long double>(cells) * 18446744073709551616.0L);
}

struct Explorer {
  const Computation& run;
  unsigned cells;
  unsigned looks;
  std::vector<double> sums;
  std::size_t leaves = 0;
  std::vector<std::uint64_t> numbers;

  Outcome at(std::size_t* used) {
    FixedSource source(numbers, cells, 0);
    Outcome out = run(source);
    *used = source.used();
    for (unsigned look = 1; look<looks&& * used> numbers.size(); ++look) {
      FixedSource other(numbers, cells, look);
      out.signature += run(other).signature;
    }
    return out;
  }

  void visit(double probability, const Outcome& here, std::size_t used) {
    if (used <= numbers.size()) {
      ++leaves;
      if (sums.empty()) sums.assign(here.values.size(), 0);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += probability * here.values[i];
      return;
    }
    // The next number: group neighbouring cells with the same signature.
    numbers.push_back(0);
    Outcome first;
    std::size_t first_used = 0;
    std::uint64_t first_number = 0;
    unsigned length = 0;
    const auto close_group = [&] {
      if (length == 0) return;
      numbers.back() = first_number;
      visit(probability * length / cells, first, first_used);
    };
    for (unsigned c = 0; c < cells; ++c) {
      numbers.back() = middle(c, cells);
      std::size_t now_used = 0;
      Outcome now = at(&now_used);
      if (length > 0 && now.signature == first.signature && now_used == first_used) {
        ++length;
        continue;
      }
      close_group();
      first = std::move(now);
      first_used = now_used;
      first_number = middle(c, cells);
      length = 1;
    }
    close_group();
    numbers.pop_back();
  }
};

}  // namespace

std::uint64_t FixedSource::next() {
  const std::size_t i = used_++;
  if (i < numbers_.size()) return numbers_[i];
  if (look_ == 0) return middle(0, cells_);
  return middle(static_cast<unsigned>(chancel::mix64(chancel::mix64(look_) + i) % cells_), cells_);
}

std::vector<double> expectation(const Computation& run, unsigned cells, unsigned looks,
                                std::size_t* leaves) {
  Explorer e{run, cells, looks, {}, 0, {}};
  std::size_t used = 0;
  const Outcome first = e.at(&used);
  e.visit(1, first, used);
  if (leaves) *leaves = e.leaves;
  return e.sums;
}

}  // namespace exact
