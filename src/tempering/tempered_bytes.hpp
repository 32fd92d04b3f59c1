// SPDX-License-Identifier: Apache-2.0
// What ranks tell each other of the states of a tempered run (tempered_ranks.hpp), as bytes. Readers give
// nonsense for nonsense; in.ok() says whether it was.
#pragma once
#include "infer/report_bytes.hpp"
#include "tempering/tempered_lane.hpp"
#include "value/bytes.hpp"

namespace chancel {

// By what it is weighed, and how long it is: of draws from the prior.
void write_weight(ByteWriter& out, const TemperedState& state);
void read_weight(ByteReader& in, TemperedState* state);
// Where it is recorded.
void write_place(ByteWriter& out, const TemperedState& state);
void read_place(ByteReader& in, TemperedState* state);
// Both, and its noise: what moves are tuned by.
void write_known(ByteWriter& out, const TemperedState& state);
void read_known(ByteReader& in, TemperedState* state);
void write_figures(ByteWriter& out, const TemperedFigures& figures);
void read_figures(ByteReader& in, TemperedFigures* figures);

// Values of the draws, by which the execution can be run again. False: values.problem().
bool write_draws(ByteWriter& out, ValueWriter& values, const TemperedState& state);
bool read_draws(ByteReader& in, ValueReader& values, TemperedState* state);

// What a state at temperature 1 gives. False: `problem`.
bool write_given(ByteWriter& out, ValueWriter& values, const TemperedState& state,
                 std::string* problem);
bool read_given(ByteReader& in, ValueReader& values, Arena& arena, TemperedState* state);

}  // namespace chancel
