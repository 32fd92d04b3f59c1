// SPDX-License-Identifier: Apache-2.0
// The program as one of several processes that mpirun has started (docs/cluster.md). Rank 0 is the
// one that people see: the others print nothing, and rank 0 reports what goes wrong there.
#pragma once
#include <string>

#include "chancel/chancel.hpp"
#include "chancel/cluster.hpp"
#include "command.hpp"

namespace chancel::tool {

// The processes of this command; this one alone unless join_ranks() was called.
const Cluster& cluster();

// Before a command with these words. False: nothing is left for this process to do.
bool join_ranks(const std::string& command, bool spreads, const Arguments& words);
// After it: what it ends with. All processes end together.
int leave_ranks(int code);

// Shows the messages of an error that ended a run, unless a rank has died: that has been reported.
void show_messages_unless_told(const Error& error);

// What programs print, to stderr. Not on other ranks while all do the same (show_program_text ends that).
void write_program_text(std::string_view text);
void show_program_text();

}  // namespace chancel::tool
