// SPDX-License-Identifier: Apache-2.0
// doquery inside a query: a lazy sequence of the inner query's weighted states. Nothing is kept
// beside the sequence itself, so that it is pure: forks and reruns of the outer execution that share
// it see the same states. Its source is a vector [algorithm query value options stream-key position
// states]; when the states are used up, the engine is run again from the start to twice as many.
// That is less than four times the work of one run, and no engine has to be found again.
#pragma once
#include <optional>

#include "infer/query_options.hpp"
#include "vm/host_services.hpp"

namespace chancel {

struct DoqueryCall {
  const EngineDef* engine;
  QueryOptions options;
};
// Checks the arguments of (doquery algorithm query value & options). Options that the engine does not
// have are noted and left out. Nothing: it has failed, or is called again.
std::optional<DoqueryCall> read_doquery(NativeContext& cx, const Value* args, std::uint32_t count);

Value nested_doquery(NativeContext& cx, const Value* args, std::uint32_t count);
// See HostServices::next_of_stream.
bool next_of_nested(HostServices& services, NativeContext& cx, Value& source, Value* out);

// The particles of a sweep lie in the order of their ancestors, so that the first few would have
// common ancestors. Here they are in random order, the first one drawn by weight.
std::vector<std::size_t> order_of_sweep(StreamName name, std::uint64_t step,
                                        const std::vector<double>& log_weights);

// {:log-weight .. :result .. :predicts [[label value] ..]} of a draw. Its parts still point into the
// engine's heap: copy the whole.
Value state_of(const EngineDraw& draw, Arena& arena);

}  // namespace chancel
