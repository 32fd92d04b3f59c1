// SPDX-License-Identifier: Apache-2.0
// Notices that the process of another rank has died (killed, out of memory, its machine gone), which MPI does
// not tell. Every rank has a connection with rank 0; the system closes it when a process ends, however it
// ends, and who ends as it should has said goodbye before. Where there is no way to connect (a firewall)
// ranks are not watched, and only the launcher says who died.
#pragma once
#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace chancel {

class DeathWatch {
 public:
  using Gather = std::function<std::vector<std::string>(std::string)>;
  // All ranks make one at the same time. `machine`: the name that others find it by. `on_death` is called
  // once, from a thread of the watch: on rank 0 with the rank that died first, on others when rank
  // 0 died.
  DeathWatch(unsigned rank, const std::string& machine, const Gather& gather,
             std::function<void(unsigned)> on_death);
  ~DeathWatch();
  DeathWatch(const DeathWatch&) = delete;
  DeathWatch& operator=(const DeathWatch&) = delete;

  static constexpr int kNobody = -1;
  int dead() const { return dead_; }  // the rank that was noticed first
  unsigned watched() const { return static_cast<unsigned>(peers_.size()); }
  void say_goodbye();  // this process is about to end, as it should

 private:
  struct Peer {
    int socket;
    unsigned rank;
    bool gone = false;
  };
  void watch();

  std::vector<Peer> peers_;
  std::function<void(unsigned)> on_death_;
  std::atomic<int> dead_{kNobody};
  int stop_[2] = {-1, -1};  // a pipe that ends the thread
  std::thread thread_;
};

}  // namespace chancel
