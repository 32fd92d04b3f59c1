// SPDX-License-Identifier: Apache-2.0
#include "signals.hpp"

#include <signal.h>
#include <unistd.h>

#include "chancel/chancel.hpp"

namespace chancel::tool {
namespace {

extern "C" void on_interrupt(int) {
  if (Interrupt::requested()) _exit(kInterruptedExit);
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

void clear_interrupt() { Interrupt::clear(); }

}  // namespace chancel::tool
