// SPDX-License-Identifier: Apache-2.0
// See thread_team.hpp.
#include "infer/thread_team.hpp"

#include <exception>
#include <new>
#include <system_error>

namespace chancel {

namespace {
// About two microseconds of looking before a thread goes to sleep.
constexpr int kSpins = 1000;

inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

void wait_until_changed(const std::atomic<std::uint32_t>& word, std::uint32_t old) {
  for (int i = 0; i < kSpins; ++i) {
    if (word.load(std::memory_order_acquire) != old) return;
    relax();
  }
  word.wait(old, std::memory_order_acquire);
}

// What members throw (work should not, but memory may be short) waits until all are done with it.
struct GuardedWork {
  const std::function<void(unsigned)>& work;
  std::atomic<bool> failed{false};
  std::exception_ptr failure;
  void operator()(unsigned member) {
    try {
      work(member);
    } catch (...) {
      if (!failed.exchange(true)) failure = std::current_exception();
    }
  }
};
}  // namespace

ThreadTeam::ThreadTeam(unsigned members) {
  threads_.reserve(members - 1);
  try {
    for (unsigned m = 1; m < members; ++m) threads_.emplace_back([this, m] { wait_for_work(m); });
  } catch (const std::system_error&) {
    // The system gives no more threads: those that are there do the work of all.
  } catch (const std::bad_alloc&) {
    // Nor memory for them. (The vector has its room.)
  }
}

ThreadTeam::~ThreadTeam() {
  stop_.store(true, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& t : threads_) t.join();
}

void ThreadTeam::run(unsigned members, const std::function<void(unsigned)>& work) {
  if (members <= 1 || threads_.empty()) {
    for (unsigned m = 0; m < members; ++m) work(m);
    return;
  }
  GuardedWork guarded{work, {}, {}};
  const std::function<void(unsigned)> shared = [&guarded](unsigned m) { guarded(m); };
  work_ = &shared;
  active_ = members;
  pending_.store(size() - 1, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  guarded(0);
  for (unsigned m = size(); m < members; ++m) guarded(m);  // more parts than threads
  for (std::uint32_t left; (left = pending_.load(std::memory_order_acquire)) != 0;)
    wait_until_changed(pending_, left);
  if (guarded.failure) std::rethrow_exception(guarded.failure);
}

void ThreadTeam::wait_for_work(unsigned member) {
  std::uint32_t seen = 0;
  for (;;) {
    wait_until_changed(round_, seen);
    seen = round_.load(std::memory_order_acquire);
    if (stop_.load(std::memory_order_relaxed)) return;
    if (member < active_) (*work_)(member);
    if (pending_.fetch_sub(1, std::memory_order_acq_rel) == 1) pending_.notify_one();
  }
}

}  // namespace chancel
