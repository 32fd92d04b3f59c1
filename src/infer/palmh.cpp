// SPDX-License-Identifier: Apache-2.0
// Engine palmh: independent chains of almh side by side; each adapts for itself, and their draws
// come out in turn.
#include "infer/options.hpp"
#include "infer/single_site_engine.hpp"

namespace chancel {

EngineDef palmh_engine() {
  return {"palmh",
          "parallel independent chains of almh",
          {{"number-of-threads", "integer >= 1 (2)",
            "chains; they run on as many threads as there are"}},
          [](const RunSetup& setup, const std::vector<OptionValue>& options,
             DiagnosticSink& sink) -> std::unique_ptr<Engine> {
            OptionReader read("palmh", options, sink);
            const auto chains =
                static_cast<unsigned>(read.integer("number-of-threads", 2, 1, 4096));
            if (!read.ok()) return nullptr;
            SingleSiteSettings settings;
            settings.adaptive = true;
            return std::make_unique<ParallelChainsEngine>(setup, settings, chains);
          }};
}

}  // namespace chancel
