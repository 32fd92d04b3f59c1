// SPDX-License-Identifier: Apache-2.0
// Engine plmh: independent chains of lmh side by side; their draws come out in turn. Chain i has
// its own heap and its own streams, so the number of threads changes nothing.
#include "infer/options.hpp"
#include "infer/single_site_engine.hpp"

namespace chancel {

EngineDef plmh_engine() {
  return {"plmh",
          "parallel independent chains of lmh",
          {{"number-of-threads", "integer >= 1 (2)",
            "chains; they run on as many threads as there are"}},
          [](const RunSetup& setup, const std::vector<OptionValue>& options,
             DiagnosticSink& sink) -> std::unique_ptr<Engine> {
            OptionReader read("plmh", options, sink);
            const auto chains =
                static_cast<unsigned>(read.integer("number-of-threads", 2, 1, 4096));
            if (!read.ok()) return nullptr;
            return std::make_unique<ParallelChainsEngine>(setup, SingleSiteSettings{}, chains);
          }};
}

}  // namespace chancel
