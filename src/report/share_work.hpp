// SPDX-License-Identifier: Apache-2.0
// Items of work shared by some threads: each takes the next one until none is left.
#pragma once
#include <atomic>
#include <cstddef>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

#include "base/memory_pressure.hpp"

namespace chancel::report {

// Calls work(i) for every i below `count`. The first exception is thrown again, after all have
// stopped.
// One thread does them where memory is short: each needs arrays of its own.
template <class Work>
void share_work(std::size_t count, unsigned threads, const Work& work) {
  if (memory_is_short()) threads = 1;
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr failure;
  const auto run = [&] {
    for (std::size_t i = next++; i < count && !failed; i = next++) {
      try {
        work(i);
      } catch (...) {
        if (!failed.exchange(true)) failure = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      for (unsigned t = 1; t < threads; ++t) others.emplace_back(run);
    } catch (const std::system_error&) {
      // The system gives no more threads: those that are there do the work.
    }
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace chancel::report
