// SPDX-License-Identifier: Apache-2.0
// The evaluation of a plate (plate.hpp): its steps for a block of rows after the other, and their derivatives backwards
// while the block is in cache. Sums of products of shared nodes with columns, the linear predictors of regressions, are
// one operation: a block of the matrix times a vector, and the transposed block times the derivatives.
//
// The scores of rows have the bits that the program gives. Sums over rows are those of blocks in their order, and within
// a block of eight lanes, so that they are the same on every machine.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "record/plate.hpp"

namespace chancel {

class PlateProgram {
 public:
  // `slot`: where the values of a node of the graph, and their adjoints, lie.
  PlateProgram(std::shared_ptr<const Plate> plate,
               const std::function<std::uint32_t(NodeIndex)>& slot);

  TermKind kind() const { return plate_->kind; }
  const Plate& plate() const { return *plate_; }
  // The sum of the scores. Adds their derivatives times `weight` to `adjoints`; null: they are not needed. Writes the
  // score of each row to `scores`; null: likewise.
  double run(const double* values, double* adjoints, double weight, double* scores = nullptr);
  std::size_t bytes() const;  // beside the plate

 private:
  struct Source {
    enum class Kind : std::uint8_t { Scalar, Gathered, Column, Result } kind;
    std::uint32_t at;
    bool varies;  // it depends on inputs
  };
  struct Instruction {
    GraphOp op;
    const Density* density;
    std::uint32_t first, count;  // sources
  };
  struct Scalar {
    std::uint32_t slot;  // kConstant
    double number;
  };
  static constexpr std::uint32_t kConstant = ~std::uint32_t{0};

  void compile(const std::function<std::uint32_t(NodeIndex)>& slot);
  Source source(const Plate::Operand& operand, const std::vector<std::uint32_t>& result_of,
                const std::function<std::uint32_t(NodeIndex)>& slot);
  std::uint32_t scalar(std::uint32_t slot, double number);
  void load_block(std::size_t block, std::size_t rows, const double* values);
  Lane lane(const Source& s) const;
  AdjointLane adjoint(const Source& s);
  double* result(std::size_t i) { return results_.data() + i * Plate::kBlock; }
  double* result_adjoint(std::size_t i) { return result_adjoints_.data() + i * Plate::kBlock; }
  void forward(const Instruction& i, double* out, std::size_t rows);
  void backward(const Instruction& i, const double* out, const double* weight, std::size_t rows);
  void sum_products(const Instruction& i, double* out, std::size_t rows);
  void sum_products_backward(const Instruction& i, const double* weight, std::size_t rows);

  std::shared_ptr<const Plate> plate_;
  std::vector<Instruction> instructions_;
  std::vector<Source> sources_;
  Source root_{};
  std::vector<Scalar> scalars_;
  std::vector<double> scalar_values_, scalar_sums_;
  std::vector<std::vector<std::uint32_t>> gathered_slots_;  // by row
  std::vector<double> gathered_, gathered_adjoints_;        // of the block
  std::vector<double> results_, result_adjoints_;           // of the block, by instruction
  std::vector<double> terms_;                               // of a log-sum-exp
  std::size_t block_ = 0;
};

}  // namespace chancel
