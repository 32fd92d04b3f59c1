// SPDX-License-Identifier: Apache-2.0
// Engine palmh: independent chains of almh side by side; each adapts for itself, and their draws
// come out in turn.
#include "engines/single_site_engine.hpp"
#include "infer/options.hpp"

namespace chancel {

EngineDef palmh_engine() {
  return {"palmh",
          "parallel independent chains of almh",
          {integer_option("number-of-threads", 2, 1,
                          "chains; they run on as many threads as there are", 4096),
           recording_option()},
          [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
            const auto chains = static_cast<unsigned>(read.integer("number-of-threads"));
            SingleSiteSettings settings = settings_of(setup, read);
            settings.adaptive = true;
            return std::make_unique<ParallelChainsEngine>(setup, settings, chains);
          },
          EngineDef::Gives::Draws,
          true};
}

}  // namespace chancel
