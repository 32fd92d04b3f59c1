// SPDX-License-Identifier: Apache-2.0
// Engine plmh: independent chains of lmh side by side; their draws come out in turn. Chain i has
// its own heap and its own streams, so the number of threads changes nothing.
#include "engines/single_site_engine.hpp"
#include "infer/options.hpp"

namespace chancel {

EngineDef plmh_engine() {
  return {"plmh",
          "parallel independent chains of lmh",
          {integer_option("number-of-threads", 2, 1,
                          "chains; they run on as many threads as there are", 4096),
           recording_option()},
          [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
            const auto chains = static_cast<unsigned>(read.integer("number-of-threads"));
            return std::make_unique<ParallelChainsEngine>(setup, settings_of(setup, read), chains);
          }};
}

}  // namespace chancel
