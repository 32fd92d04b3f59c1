// SPDX-License-Identifier: Apache-2.0
// Inference options as programs and the command line write them: :number-of-particles 100
// :resampling :systematic
#pragma once
#include <optional>
#include <vector>

#include "infer/engine.hpp"
#include "value/native.hpp"

namespace chancel {

// Options of doquery that are not the engine's.
struct QueryOptions {
  bool drop_invalid = true;
  std::optional<std::uint64_t> warmup;
  std::vector<OptionValue> engine;
};
// Is this an option of doquery (or one that Anglican's has) and of no engine?
bool belongs_to_doquery(std::string_view name);
// Key value key value ...; a mistake goes to the sink (I002) and gives nothing.
std::optional<QueryOptions> read_options(const Value* items, std::size_t count, Span span,
                                         DiagnosticSink& sink);

}  // namespace chancel
