// SPDX-License-Identifier: Apache-2.0
#include "paper/experiment.hpp"

namespace chancel::paper {

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all = {
      {"convergence", "Figure 1: PMCMC against RDB on the four programs", convergence_cells,
       convergence_section},
      {"permutation", "Figure 2: the lines of the programs in other orders", permutation_cells,
       permutation_section},
      {"particles", "Figure 3: 2 to 500 particles", particles_cells, particles_section},
      {"parallelism", "distance against wall-clock time on several threads", parallelism_cells,
       parallelism_section},
      {"testing", "the paper's three levels of testing, for every engine", testing_cells,
       testing_section},
      {"wrong-rules", "rules that shipped elsewhere and are wrong, beside our engines",
       wrong_rules_cells, wrong_rules_section},
      {"readings", "where the text is ambiguous: the other readings", readings_cells,
       readings_section},
  };
  return all;
}

}  // namespace chancel::paper
