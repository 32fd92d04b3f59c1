// SPDX-License-Identifier: Apache-2.0
// Engine lmh (alias rdb): the paper's random database. One draw of the execution is picked
// uniformly and proposed from its conditional prior; later draws keep their values where their
// addresses allow (single_site.hpp, trace.hpp).
#include "engines/single_site_engine.hpp"

namespace chancel {

EngineDef lmh_engine() {
  return {"lmh",
          "single-site Metropolis-Hastings over the random database of an execution",
          {recording_option()},
          [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
            return std::make_unique<SingleSiteEngine>(setup, settings_of(setup, read));
          }};
}

}  // namespace chancel
