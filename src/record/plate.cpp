// SPDX-License-Identifier: Apache-2.0
// See plate.hpp.
#include "record/plate.hpp"

namespace chancel {

void Plate::add_row(const double* numbers_of_row) {
  const std::size_t at = rows++ % kBlock;
  if (at == 0) blocks.emplace_back(new double[std::size_t{kBlock} * columns]());
  double* to = blocks.back().get() + at;
  for (std::uint32_t k = 0; k < columns; ++k) to[std::size_t{k} * kBlock] = numbers_of_row[k];
}

std::size_t Plate::bytes() const {
  std::size_t sum = blocks.size() * kBlock * columns * sizeof(double) +
                    steps.capacity() * sizeof(Step) + operands.capacity() * sizeof(Operand);
  for (const auto& nodes : gathered) sum += nodes.capacity() * sizeof(NodeIndex);
  return sum;
}

std::vector<NodeIndex> nodes_of(const Plate& plate) {
  std::vector<NodeIndex> nodes;
  const auto add = [&](const Plate::Operand& o) {
    if (o.kind == Plate::Operand::Kind::Shared) nodes.push_back(o.at);
  };
  for (const Plate::Operand& o : plate.operands) add(o);
  add(plate.root);
  for (const auto& of_rows : plate.gathered)
    nodes.insert(nodes.end(), of_rows.begin(), of_rows.end());
  return nodes;
}

}  // namespace chancel
