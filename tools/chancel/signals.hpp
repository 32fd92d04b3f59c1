// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and SIGTERM end the program at once, with kInterruptedExit. Commands that run programs ask
// for patience: then the first only asks the library to stop, so that what is there can be printed,
// and the second ends the program. A pipe that is closed by its reader gives no signal but a write
// that fails (console.hpp).
#pragma once
#include "chancel/chancel.hpp"

namespace chancel::tool {

constexpr int kInterruptedExit = 130;  // 128 + SIGINT, as shells report it

void install_signal_handlers();
// What Ctrl-C presses, and a closed pipe: given to every model and script of the command.
const Interrupt& user_interrupt();
void stop_gently();
// Forgets an interrupt that has been dealt with (the REPL continues after one).
void clear_interrupt();

}  // namespace chancel::tool
