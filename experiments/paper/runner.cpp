// SPDX-License-Identifier: Apache-2.0
#include "paper/runner.hpp"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "chancel/chancel.hpp"
#include "console.hpp"
#include "progress.hpp"
#include "signals.hpp"

namespace chancel::paper {
namespace {

class Queue {
 public:
  Queue(const Store& store, tool::Progress& progress) : store_(store), progress_(progress) {}

  void run(const std::vector<const Cell*>& cells, unsigned threads) {
    cells_ = &cells;
    next_ = 0;
    // Signals are for the main thread, which waits.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::vector<std::thread> team;
    for (unsigned i = 0; i < threads; ++i) team.emplace_back([this] { work(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    for (std::thread& t : team) t.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void work() {
    while (!stop_ && !tool::user_interrupt().requested()) {
      const std::size_t i = next_.fetch_add(1);
      if (i >= cells_->size()) return;
      const Cell& cell = *(*cells_)[i];
      try {
        store_.put(cell, cell.compute());
        progress_.count(done_ += cell.work);
      } catch (const Stopped&) {
        return;
      } catch (...) {
        // The machine stops with an error wherever it is, within a compilation too.
        if (tool::user_interrupt().requested()) return;
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        stop_ = true;
      }
    }
  }

  const Store& store_;
  tool::Progress& progress_;
  const std::vector<const Cell*>* cells_ = nullptr;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::uint64_t> done_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

bool run_cells(const std::vector<Cell>& cells, const Store& store, unsigned threads,
               const Cluster& cluster) {
  std::vector<const Cell*> together, alone;
  std::uint64_t work = 0;
  std::size_t number = 0;
  for (const Cell& cell : cells) {
    // Whether it is there or not: others may be at work already.
    const bool mine = cell.alone ? cluster.first() : number++ % cluster.size() == cluster.rank();
    if (!mine || store.has(cell)) continue;
    (cell.alone ? alone : together).push_back(&cell);
    work += cell.work;
  }
  if (work == 0 && cluster.alone()) return true;
  std::stable_sort(together.begin(), together.end(),
                   [](const Cell* a, const Cell* b) { return a->run < b->run; });
  tool::Progress progress(!cluster.first()            ? tool::Progress::Style::None
                          : tool::error_is_terminal() ? tool::Progress::Style::Bar
                                                      : tool::Progress::Style::Lines,
                          work, "simulations");
  Queue queue(store, progress);
  queue.run(together, threads);
  if (!tool::user_interrupt().requested()) cluster.gather({});  // the machine is free now
  queue.run(alone, 1);
  progress.stop();
  return !tool::user_interrupt().requested();
}

}  // namespace chancel::paper
