// SPDX-License-Identifier: Apache-2.0
// Threads that wait for the next piece of parallel work. One engine owns a team and is the only one
// that calls run(): the caller works as member 0, the others are woken, and run() returns when all
// are done. Waiting spins briefly (barriers of a sweep come every few microseconds), then sleeps.
// Members share nothing but the two counters below.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace chancel {

class ThreadTeam {
 public:
  // >= 1; starts members - 1 threads, or as many as the system gives.
  explicit ThreadTeam(unsigned members);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  unsigned size() const { return static_cast<unsigned>(threads_.size()) + 1; }
  // Calls work(member) once for every member below `members`, at the same time. work must not
  // throw.
  void run(unsigned members, const std::function<void(unsigned)>& work);

 private:
  void wait_for_work(unsigned member);

  const std::function<void(unsigned)>* work_ = nullptr;
  unsigned active_ = 0;
  std::atomic<bool> stop_{false};
  alignas(64) std::atomic<std::uint32_t> round_{0};
  alignas(64) std::atomic<std::uint32_t> pending_{0};
  std::vector<std::thread> threads_;
};

}  // namespace chancel
