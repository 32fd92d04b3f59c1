// SPDX-License-Identifier: Apache-2.0
// The sockets that Jupyter connects to. xeus takes for granted that a message has all its parts and
// the fields that its type needs, and ends the process when one has not. So the ports are ours, xeus
// listens inside this process, and what is not whole is dropped on the way. xeus checks signatures. It
// answers the control channel by a thread of its own, so what could run or change a program there,
// beside a cell, is dropped, too. Costs two copies of a message between threads.
#pragma once
#include <chrono>
#include <thread>
#include <vector>
#include <xeus/xkernel_configuration.hpp>
#include <zmq.hpp>
#include <zmq_addon.hpp>

namespace chancel::kernel {

class Gate {
 public:
  // Binds the ports of `configuration`. Throws zmq::error_t when one is taken.
  Gate(zmq::context_t& context, const xeus::xconfiguration& configuration);
  // Passes on what is still on its way to Jupyter.
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  // What xeus binds to.
  static xeus::xconfiguration inner(xeus::xconfiguration configuration);

 private:
  enum class Kind { Requests, Control, Bytes };
  struct Channel {
    zmq::socket_t outer, inner;
    Kind kind;
  };
  static bool may_pass(const Channel& channel, const zmq::multipart_t& message);
  void serve();
  void pass(std::chrono::milliseconds patience, bool* stopped);

  std::vector<Channel> channels_;
  zmq::socket_t stop_, stopped_;
  std::thread thread_;
};

}  // namespace chancel::kernel
