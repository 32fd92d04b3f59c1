// SPDX-License-Identifier: Apache-2.0
// Engine rmh: lmh whose proposals at continuous draws are, with probability alpha, a normal walk
// around the present value. Prior and proposal densities are kept apart: a walk is symmetric, so
// the prior density of the draw enters the ratio, before and after; a proposal from the prior
// cancels it.
#include "infer/options.hpp"
#include "infer/single_site_engine.hpp"

namespace chancel {

EngineDef rmh_engine() {
  return {
      "rmh",
      "single-site Metropolis-Hastings with random walks on continuous draws",
      {{"alpha", "number from 0 to 1 (0.5)", "share of random-walk moves at continuous draws"},
       {"sigma", "number > 0 (0.5)",
        "standard deviation of the walk, in units of the prior standard deviation of the draw"}},
      [](const RunSetup& setup, const std::vector<OptionValue>& options,
         DiagnosticSink& sink) -> std::unique_ptr<Engine> {
        OptionReader read("rmh", options, sink);
        SingleSiteSettings settings;
        settings.walk_share = read.real("alpha", 0.5, 0, 1);
        settings.walk_scale = read.real("sigma", 0.5, 1e-300, 1e300);
        if (!read.ok()) return nullptr;
        return std::make_unique<SingleSiteEngine>(setup, settings);
      }};
}

}  // namespace chancel
