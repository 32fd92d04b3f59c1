// SPDX-License-Identifier: Apache-2.0
// Watches ranks come together. MPI waits for ever for a rank that runs something else or is stopped,
// and cannot say which: this looks at the processes of this machine that the same launcher started.
#pragma once
#include <condition_variable>
#include <mutex>
#include <thread>

namespace chancel::tool {

class JoinWatch {
 public:
  // After `limit` seconds says who is missing and ends the process; 0: says it once and waits on.
  explicit JoinWatch(double limit);
  ~JoinWatch();  // all are there
  JoinWatch(const JoinWatch&) = delete;
  JoinWatch& operator=(const JoinWatch&) = delete;

 private:
  void watch(double limit);

  std::mutex mutex_;
  std::condition_variable changed_;
  bool joined_ = false;
  std::thread thread_;
};

}  // namespace chancel::tool
