// SPDX-License-Identifier: Apache-2.0
#include "interruptible.hpp"

#include <pybind11/pybind11.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace py = pybind11;

namespace chancel::python {

namespace {

constexpr std::chrono::milliseconds kAsk{
    20};  // between looks at signals: not felt, and nearly free
constexpr std::chrono::milliseconds kGrace{100};  // for work that looks at Stop

std::mutex printed_mutex;
std::string printed;

// With the interpreter's lock.
void write_printed() {
  std::string text;
  {
    const std::lock_guard lock(printed_mutex);
    if (printed.empty()) return;
    text.swap(printed);
  }
  const auto size = static_cast<Py_ssize_t>(text.size());
  const auto decoded =
      py::reinterpret_steal<py::object>(PyUnicode_DecodeUTF8(text.data(), size, "replace"));
  if (!decoded) throw py::error_already_set();
  const py::object out = py::module_::import("sys").attr("stdout");
  if (!out.is_none()) out.attr("write")(decoded);
}

class Worker {
 public:
  Worker(Interrupt interrupt, const std::function<void(const Stop&)>& work)
      : interrupt_(std::move(interrupt)) {
    try {
      thread_ = std::thread([this, &work] {
        try {
          work(stop_);
        } catch (...) {
          failure_ = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        done_ = true;
        changed_.notify_all();
      });
    } catch (const std::system_error&) {  // the system has no thread left
      throw std::bad_alloc();
    }
  }
  ~Worker() { thread_.join(); }

  bool wait(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [&] { return done_; });
  }
  void stop() {
    stop_ = true;
    if (wait(kGrace)) return;
    interrupt_.request();
    while (!wait(std::chrono::milliseconds(1000))) {
    }
    interrupt_.clear();
  }
  std::exception_ptr failure() const { return failure_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  Stop stop_{false};
  Interrupt interrupt_;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace

void print_later(std::string_view text) {
  const std::lock_guard lock(printed_mutex);
  printed += text;
}

void run_interruptibly(const Interrupt& interrupt, const std::function<void(const Stop&)>& work) {
  std::exception_ptr failure;
  std::optional<py::error_already_set> raised;
  {
    const py::gil_scoped_release release;
    Worker worker(interrupt, work);
    while (!worker.wait(kAsk)) {
      {
        const py::gil_scoped_acquire acquire;
        try {
          if (PyErr_CheckSignals() != 0) throw py::error_already_set();
          write_printed();
        } catch (py::error_already_set& e) {
          raised.emplace(std::move(e));
        }
      }
      if (raised) {
        worker.stop();
        break;
      }
    }
    failure = worker.failure();
  }
  if (raised) throw std::move(*raised);
  write_printed();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace chancel::python
