// SPDX-License-Identifier: Apache-2.0
// Engines by name, as engines.def lists them.
#pragma once
#include "infer/engine.hpp"

namespace chancel {

const std::vector<EngineDef>& all_engines();
const EngineDef* find_engine(std::string_view name);  // also by alias (rdb)
// The same; I001 that lists them when there is none.
const EngineDef* find_engine(std::string_view name, DiagnosticSink& sink);
// Finds it, checks the options (engines/check_options.hpp), makes it; else mistakes go to the sink.
std::unique_ptr<Engine> make_engine(std::string_view name, const RunSetup& setup,
                                    const std::vector<OptionValue>& options, DiagnosticSink& sink);

}  // namespace chancel
