// SPDX-License-Identifier: Apache-2.0
#include "parent_watch.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace chancel::kernel {

void watch_parent() {
  const char* text = std::getenv("JPY_PARENT_PID");
  pid_t named = 0;
  if (text == nullptr) return;
  const auto [rest, error] = std::from_chars(text, text + std::strlen(text), named);
  if (error != std::errc() || *rest != '\0' || named < 1) return;
  std::thread([named, parent = getppid()] {
    constexpr std::chrono::milliseconds kLook{500};
    // A launcher may stand between the two.
    while (getppid() == parent && (kill(named, 0) == 0 || errno == EPERM))
      std::this_thread::sleep_for(kLook);
    std::fputs("chancel-kernel: the program that started it has gone\n", stderr);
    _exit(0);
  }).detach();
}

}  // namespace chancel::kernel
