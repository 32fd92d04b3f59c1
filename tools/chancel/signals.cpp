// SPDX-License-Identifier: Apache-2.0
#include "signals.hpp"

#include <signal.h>
#include <unistd.h>

#include "chancel/chancel.hpp"

namespace chancel::tool {
namespace {

volatile sig_atomic_t g_gently = 0;

extern "C" void on_interrupt(int) {
  if (!g_gently || Interrupt::requested()) _exit(kInterruptedExit);
  Interrupt::request();
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action = {};
  sigemptyset(&action.sa_mask);
  action.sa_handler = on_interrupt;  // without SA_RESTART: a blocked read returns
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
}

void stop_gently() { g_gently = 1; }

void clear_interrupt() { Interrupt::clear(); }

}  // namespace chancel::tool
