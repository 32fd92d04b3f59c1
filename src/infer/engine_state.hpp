// SPDX-License-Identifier: Apache-2.0
// What engines write of themselves between two steps, so that a run that was stopped continues from
// there with the same draws (Engine::save). Two ways to write an execution:
//  - by the names of its random numbers, where all came from streams of sweeps: 12 bytes or so for
//    each observe, whatever the program draws (RetainedPath::names, Population::rebuild);
//  - by its draws as values (value/bytes.hpp), where moves have changed them; it is run again with
//    these (replay.hpp, trace.hpp).
// Either way the program is run once, when the state is read.
#pragma once
#include "base/bytes.hpp"
#include "infer/history.hpp"
#include "infer/sink.hpp"
#include "value/bytes.hpp"
#include "vm/executor.hpp"

namespace chancel {

// To and from states of runs and messages between ranks. `statistics`: as they are made.
void save_statistics(ByteWriter& to, const EngineStatistics& statistics);
void restore_statistics(ByteReader& from, EngineStatistics& statistics);

// Draws of the program. False: one of them cannot be written, or from.problem(). `run` may end the reading
// (RunStopped).
bool save_values(ByteWriter& to, const std::vector<Value>& values, const ByteNames& names);
bool restore_values(ByteReader& from, Arena& arena, const ByteNames& names, Run* run,
                    std::vector<Value>& values);
// Whether a stored value is one that the distribution can give, as the machine at `at` scores it; true where that
// cannot be said. Engines, native code and recordings take the kind of a drawn value for granted.
bool can_be_drawn(Executor& machine, const Execution& at, const Value& dist, const Value& value);

void save_names(ByteWriter& to, const std::vector<SegmentName>& names);
std::vector<SegmentName> restore_names(ByteReader& from);

}  // namespace chancel
