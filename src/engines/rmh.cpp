// SPDX-License-Identifier: Apache-2.0
// Engine rmh: lmh whose proposals at continuous draws are, with probability alpha, a normal walk
// around the present value. Prior and proposal densities are kept apart: a walk is symmetric, so
// the prior density of the draw enters the ratio, before and after; a proposal from the prior
// cancels it.
#include "engines/single_site_engine.hpp"
#include "infer/options.hpp"

namespace chancel {

EngineDef rmh_engine() {
  return {
      "rmh",
      "single-site Metropolis-Hastings with random walks on continuous draws",
      {real_option("alpha", 0.5, 0, 1, "share of random-walk moves at continuous draws"),
       real_option("sigma", 0.5, kAboveZero, kMostReal,
                   "standard deviation of the walk, in units of the prior standard deviation of "
                   "the draw"),
       recording_option()},
      [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
        SingleSiteSettings settings = settings_of(setup, read);
        settings.walk_share = read.real("alpha");
        settings.walk_scale = read.real("sigma");
        return std::make_unique<SingleSiteEngine>(setup, settings);
      },
      EngineDef::Gives::Draws,
      true};
}

}  // namespace chancel
