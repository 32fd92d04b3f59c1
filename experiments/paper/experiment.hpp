// SPDX-License-Identifier: Apache-2.0
// What an experiment is: a list of cells, and a section of the page told from their results. Each
// has a file of its own; experiments.cpp has the list.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "paper/cell.hpp"
#include "paper/chart.hpp"
#include "paper/settings.hpp"
#include "paper/store.hpp"

namespace chancel::paper {

// A sentence of the paper, and what the data say.
struct Finding {
  enum class Verdict { Holds, HoldsPartly, DoesNotHold, Measured };
  std::string claim;
  Verdict verdict = Verdict::Measured;
  std::string evidence;  // numbers from the data, and why
};

struct Section {
  std::string title, intro;  // HTML
  struct Figure {
    std::string name;  // of its file: "convergence-hmm-simulations"
    Chart chart;
  };
  struct Row {  // figures side by side, with a heading
    std::string heading, caption;
    std::vector<Figure> figures;
  };
  std::vector<Row> rows;
  std::string tables;  // HTML after the figures
  std::vector<Finding> findings;
};

struct Experiment {
  const char* name;
  const char* what;
  std::vector<Cell> (*cells)(const Settings&);
  Section (*section)(const Settings&, const Store&);
};
const std::vector<Experiment>& experiments();

std::vector<Cell> convergence_cells(const Settings&);
Section convergence_section(const Settings&, const Store&);
std::vector<Cell> permutation_cells(const Settings&);
Section permutation_section(const Settings&, const Store&);
std::vector<Cell> particles_cells(const Settings&);
Section particles_section(const Settings&, const Store&);
std::vector<Cell> parallelism_cells(const Settings&);
Section parallelism_section(const Settings&, const Store&);
std::vector<Cell> testing_cells(const Settings&);
Section testing_section(const Settings&, const Store&);
std::vector<Cell> wrong_rules_cells(const Settings&);
Section wrong_rules_section(const Settings&, const Store&);
std::vector<Cell> readings_cells(const Settings&);
Section readings_section(const Settings&, const Store&);

}  // namespace chancel::paper
