// SPDX-License-Identifier: Apache-2.0
// Engine lmh (alias rdb): the paper's random database. One draw of the execution is picked
// uniformly and proposed from its conditional prior; later draws keep their values where their
// addresses allow (single_site.hpp, trace.hpp).
#include "infer/single_site_engine.hpp"

namespace chancel {

EngineDef lmh_engine() {
  return {"lmh",
          "single-site Metropolis-Hastings over the random database of an execution",
          {},
          [](const RunSetup& setup, const std::vector<OptionValue>& options,
             DiagnosticSink& sink) -> std::unique_ptr<Engine> {
            (void)options;
            (void)sink;
            return std::make_unique<SingleSiteEngine>(setup, SingleSiteSettings{});
          }};
}

}  // namespace chancel
