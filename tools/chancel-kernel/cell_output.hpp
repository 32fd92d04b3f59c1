// SPDX-License-Identifier: Apache-2.0
// What a cell sends to its notebook while it runs: printed text, gathered and sent ten times a second,
// and after a second how far the run is, in a line that is rewritten. A thread of its own does
// both, so that they are seen while the cell is busy. Everything that is sent goes through one lock:
// sockets of ZeroMQ may pass from thread to thread, but not be shared.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <thread>

namespace chancel::kernel {

// How messages go out; the interpreter's own functions.
struct Publisher {
  std::function<void(const std::string& name, const std::string& text)> stream;
  std::function<void(const nlohmann::json& data, const nlohmann::json& transient, bool update)>
      display;
};

class CellOutput {
 public:
  explicit CellOutput(Publisher publisher) : publisher_(std::move(publisher)) {}
  ~CellOutput() { end(); }
  CellOutput(const CellOutput&) = delete;
  CellOutput& operator=(const CellOutput&) = delete;

  // `progress`: a line about how far the cell is, empty when there is nothing to say; called from
  // another thread.
  void begin(std::function<std::string()> progress);
  void end();  // sends what is left
  // From any thread.
  void print(std::string_view text);
  // Sends what was printed, then whatever `send` sends.
  void after_prints(const std::function<void()>& send);

 private:
  void loop();
  void flush();  // with the lock
  void show_progress(bool last);

  Publisher publisher_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
  std::function<std::string()> progress_;
  std::chrono::steady_clock::time_point begun_, shown_;
  std::string text_;       // printed and not sent
  std::string what_;       // the last news
  std::size_t sent_ = 0;   // bytes
  std::size_t cells_ = 0;  // makes names of displays
  bool displayed_ = false, done_ = false, open_ = false;
};

}  // namespace chancel::kernel
