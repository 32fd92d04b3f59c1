// SPDX-License-Identifier: Apache-2.0
#include "signals.hpp"

#include <signal.h>
#include <unistd.h>

namespace chancel::tool {
namespace {

volatile sig_atomic_t g_gently = 0;

const Interrupt g_interrupt;  // made before the handlers are installed

extern "C" void on_interrupt(int) {
  if (!g_gently || g_interrupt.requested()) _exit(kInterruptedExit);
  g_interrupt.request();
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

const Interrupt& user_interrupt() { return g_interrupt; }

void clear_interrupt() { g_interrupt.clear(); }

}  // namespace chancel::tool
