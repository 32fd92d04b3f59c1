// SPDX-License-Identifier: Apache-2.0
// Ranks that are threads of a test.
#pragma once
#include <thread>
#include <vector>

#include "ranks/mailboxes.hpp"
#include "ranks/ranks.hpp"

namespace chancel {

// Runs work(ranks) on `size` ranks at the same time.
template <class Work>
void on_ranks(unsigned size, Work work) {
  Mailboxes boxes(size);
  std::vector<std::thread> threads;
  for (unsigned r = 0; r < size; ++r)
    threads.emplace_back([&, r] {
      Ranks ranks(boxes.transport(r));
      work(ranks);
      ranks.leave();
    });
  for (std::thread& t : threads) t.join();
}

}  // namespace chancel
