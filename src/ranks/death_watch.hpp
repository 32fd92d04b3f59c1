// SPDX-License-Identifier: Apache-2.0
// Notices that the process of another rank has died (killed, out of memory, its machine gone), which MPI does
// not tell. Every rank has a connection with rank 0; the system closes it when a process ends, however it
// ends, and who ends as it should has said goodbye before. Where there is no way to connect (a firewall)
// ranks are not watched, and only the launcher says who died.
//
// A process that is stopped keeps its connection. So each sends a byte now and then, and once the
// time limit of the run is over, a rank that has been silent for a few seconds is given up.
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace chancel {

struct DeathWatchPace {
  std::chrono::milliseconds beat{500}, silence{3000}, after_end{1000};
};

class DeathWatch {
 public:
  enum class Loss { Died, Silent };
  using Pace = DeathWatchPace;
  using Gather = std::function<std::vector<std::string>(std::string)>;
  // All ranks make one at the same time. `machine`: the name that others find it by. `on_death` is called
  // once, from a thread of the watch: on rank 0 with the rank that died first, on others when rank
  // 0 died.
  DeathWatch(unsigned rank, const std::string& machine, const Gather& gather,
             std::function<void(unsigned, Loss)> on_death, Pace pace = Pace());
  ~DeathWatch();
  DeathWatch(const DeathWatch&) = delete;
  DeathWatch& operator=(const DeathWatch&) = delete;

  static constexpr int kNobody = -1;
  int dead() const { return dead_; }  // the rank that was noticed first
  Loss loss() const { return loss_; }
  // From then on (seconds from now), and a moment later, ranks that are silent are given up.
  void expect_end(double seconds);
  unsigned watched() const { return static_cast<unsigned>(peers_.size()); }
  void say_goodbye();  // this process is about to end, as it should

 private:
  struct Peer {
    int socket;
    unsigned rank;
    bool gone = false;
    std::chrono::steady_clock::time_point heard{};
  };
  void watch();
  void send_to_all(char byte);
  void look_at(Peer& peer);
  void give_up(const Peer& peer, Loss loss);

  Pace pace_;
  std::vector<Peer> peers_;
  std::function<void(unsigned, Loss)> on_death_;
  std::atomic<int> dead_{kNobody};
  std::atomic<Loss> loss_{Loss::Died};
  std::atomic<double> end_{0};  // seconds of the steady clock; 0: there is no limit
  int stop_[2] = {-1, -1};      // a pipe that ends the thread
  std::thread thread_;
};

}  // namespace chancel
