// SPDX-License-Identifier: Apache-2.0
// Long work without the interpreter's lock, that Ctrl-C can stop. The work runs on a thread of its
// own; the caller waits, lets other Python threads run, passes on what the program prints, and asks
// now and then whether a signal came (which only Python's main thread is told). After a signal
// whose handler raises, work is asked to end: first through `Stop`, and when that does not help
// within a moment, through the Interrupt of its run. Costs one thread start, some 20 microseconds.
#pragma once
#include <atomic>
#include <functional>
#include <string_view>

#include "chancel/chancel.hpp"

namespace chancel::python {

using Stop = std::atomic<bool>;

// Throws what the work threw, or what a signal handler raised (pybind11::error_already_set) once
// the work has ended.
void run_interruptibly(const Interrupt& interrupt, const std::function<void(const Stop&)>& work);

// Where programs print: kept, and written to sys.stdout by whoever waits.
void print_later(std::string_view text);

}  // namespace chancel::python
