// SPDX-License-Identifier: Apache-2.0
// The draws of a run by column, as a SummaryBuilder collects them: one shape a label, a column each
// leaf of it, and what all columns share. Summaries and the charts of a page are made from these.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/accuracy.hpp"
#include "report/shape.hpp"

namespace chancel::report {

struct DrawColumns {
  struct Label {
    std::string name;
    Shape shape;
  };
  std::shared_ptr<SpillPool> pool = std::make_shared<SpillPool>();
  std::vector<Label> labels;
  std::unordered_map<std::string, std::size_t> index;
  DrawFrame frame;
  // Of draws by gradient moves: their energies (empty when there are none), and which diverged.
  SpillVector<double> energies{pool};
  std::vector<std::size_t> divergent_rows;
  std::uint64_t last_sweep = 0;

  void add(const Draw& draw);
  // The energies by chain; empty when not every draw has one.
  Chains energies_by_chain() const;
  // As bytes, and back into new columns (stored_columns.cpp): new draws are added to those
  // restored.
  void save(ByteStream& to) const;
  bool restore(ByteReader& from);

 private:
  void count(const Draw& draw);
};

}  // namespace chancel::report
