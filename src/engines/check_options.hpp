// SPDX-License-Identifier: Apache-2.0
// Given options against the list of an engine. A mistake is I002 with what would be right; an option
// of another engine is told apart from a misspelt one, so this needs the list of all engines.
#pragma once
#include "infer/engine.hpp"

namespace chancel {

// Are all names known, and none given twice? Else I002.
bool check_option_names(const EngineDef& engine, const std::vector<OptionValue>& given,
                        DiagnosticSink& sink);
// Takes out the options that the engine does not have; what comes back (I002, a warning) says which.
// Programs for Anglican may give options to engines that ignore them.
std::optional<Diagnostic> ignore_foreign_options(const EngineDef& engine,
                                                 std::vector<OptionValue>& given);
// Unknown names, names given twice, options of other engines and bad values are I002 that says what
// would be good; nothing comes back then.
std::optional<EngineOptions> check_options(const EngineDef& engine,
                                           const std::vector<OptionValue>& given,
                                           DiagnosticSink& sink);

bool adapts(const EngineDef& engine, const std::vector<OptionValue>& given);
// The default warm-up of an engine that is asked for `draws` draws (0: not known): as many steps but at most
// 20 000, or 1000 when the number is not known; 0 for an engine that does not adapt.
std::uint64_t usual_warmup(const EngineDef& engine, const std::vector<OptionValue>& given,
                           std::uint64_t draws);
// Draws that a chain which does not adapt leaves out unless a number is given, since it starts at a draw
// from the prior: at most as many as are kept or dropped for `draws` (0: not known). 0: no chain.
std::uint64_t usual_burn(const EngineDef& engine, std::uint64_t draws, std::uint64_t thin);

}  // namespace chancel
