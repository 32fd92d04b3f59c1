// SPDX-License-Identifier: Apache-2.0
// Engine almh: adaptive choice of the draw to change, after Tolpin, van de Meent, Paige & Wood
// (2015). A site of the program is preferred by the share of its proposals that changed a predicted
// value, during warm-up. Differences: the probability of choosing a draw enters the acceptance ratio,
// rewards are bounded plain averages, and after the warm-up preferences stand still.
#include "engines/single_site_engine.hpp"

namespace chancel {

EngineDef almh_engine() {
  return {"almh",
          "single-site Metropolis-Hastings that prefers draws that matter to the output",
          {recording_option()},
          [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
            SingleSiteSettings settings = settings_of(setup, read);
            settings.adaptive = true;
            return std::make_unique<SingleSiteEngine>(setup, settings);
          },
          EngineDef::Gives::Draws,
          true};
}

}  // namespace chancel
