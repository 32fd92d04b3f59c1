// SPDX-License-Identifier: Apache-2.0
// See plate_program.hpp.
#include "record/plate_program.hpp"

#include <algorithm>
#include <cmath>

#include "base/assert.hpp"
#include "base/wide.hpp"
#include "record/lane_ops.hpp"

namespace chancel {

namespace {

constexpr std::size_t kLanes = 8;

// sum = a x, sum += a x, and the same of four columns, in this order.
CHANCEL_FOR_EACH_WIDTH(void, scaled,
                       (double a, const double* __restrict x, std::size_t rows,
                        double* __restrict sum),
                       for (std::size_t i = 0; i < rows; ++i) sum[i] = a * x[i];)
CHANCEL_FOR_EACH_WIDTH(void, add_scaled,
                       (double a, const double* __restrict x, std::size_t rows,
                        double* __restrict sum),
                       for (std::size_t i = 0; i < rows; ++i) sum[i] += a * x[i];)
CHANCEL_FOR_EACH_WIDTH(void, add_four_scaled,
                       (const double* a, const double* const* x, std::size_t rows,
                        double* __restrict sum),
                       const double a0 = a[0];
                       const double a1 = a[1]; const double a2 = a[2]; const double a3 = a[3];
                       const double* __restrict x0 = x[0]; const double* __restrict x1 = x[1];
                       const double* __restrict x2 = x[2]; const double* __restrict x3 = x[3];
                       for (std::size_t i = 0; i < rows; ++i)
                           sum[i] = (((sum[i] + a0 * x0[i]) + a1 * x1[i]) + a2 * x2[i]) +
                                    a3 * x3[i];)
// The sum of w x, in eight lanes.
CHANCEL_FOR_EACH_WIDTH(double, dot_product,
                       (const double* __restrict w, const double* __restrict x, std::size_t rows),
                       double sums[kLanes] = {};
                       std::size_t i = 0; for (; i + kLanes <= rows;
                                               i += kLanes) for (std::size_t k = 0; k < kLanes; ++k)
                                              sums[k] += w[i + k] * x[i + k];
                       for (std::size_t k = 0; i < rows; ++i, ++k) sums[k] += w[i] * x[i];
                       return ((sums[0] + sums[4]) + (sums[2] + sums[6])) +
                              ((sums[1] + sums[5]) + (sums[3] + sums[7]));)

double sum_of(const double* x, std::size_t rows) {
  double sums[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= rows; i += kLanes)
    for (std::size_t k = 0; k < kLanes; ++k) sums[k] += x[i + k];
  for (std::size_t k = 0; i < rows; ++i, ++k) sums[k] += x[i];
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

using Kind = Plate::Operand::Kind;

// Chains of additions that nothing else uses, with the products among their terms, by their last addition: pairs of
// factors in the order of the additions (fused_sums.hpp does the same for a graph).
struct Sums {
  std::vector<std::vector<Plate::Operand>> pairs;  // by step; empty where it is not such a sum
  std::vector<char> absorbed;
};
constexpr Plate::Operand kUnit{Kind::Number, ~std::uint32_t{0}};

Sums find_sums(const Plate& plate) {
  std::vector<std::uint32_t> uses(plate.steps.size(), 0);
  if (plate.root.kind == Kind::Step) ++uses[plate.root.at];
  for (const Plate::Operand& o : plate.operands)
    if (o.kind == Kind::Step) ++uses[o.at];
  const auto only_here = [&](const Plate::Operand& o, GraphOp op) {
    return o.kind == Kind::Step && plate.steps[o.at].op == op && uses[o.at] == 1;
  };
  const auto operand = [&](std::uint32_t step, std::uint32_t k) {
    return plate.operands[plate.steps[step].first + k];
  };
  Sums sums{std::vector<std::vector<Plate::Operand>>(plate.steps.size()),
            std::vector<char>(plate.steps.size(), 0)};
  for (auto last = static_cast<std::uint32_t>(plate.steps.size()); last-- > 0;) {
    if (sums.absorbed[last] || plate.steps[last].op != GraphOp::Add) continue;
    std::vector<Plate::Operand> terms;  // last first
    std::vector<std::uint32_t> inside;
    for (std::uint32_t at = last;;) {
      Plate::Operand before = operand(at, 0), term = operand(at, 1);
      if (!only_here(before, GraphOp::Add) && only_here(term, GraphOp::Add))
        std::swap(before, term);  // a + b is b + a
      terms.push_back(term);
      if (!only_here(before, GraphOp::Add)) {
        terms.push_back(before);
        break;
      }
      at = before.at;
      inside.push_back(at);
    }
    std::vector<Plate::Operand> pairs;
    bool product = false;
    for (std::size_t k = terms.size(); k-- > 0;) {
      if (only_here(terms[k], GraphOp::Multiply)) {
        product = true;
        pairs.insert(pairs.end(), {operand(terms[k].at, 0), operand(terms[k].at, 1)});
        inside.push_back(terms[k].at);
      } else {
        pairs.insert(pairs.end(), {terms[k], kUnit});
      }
    }
    if (!product && terms.size() == 2) continue;  // one plain addition
    for (const std::uint32_t i : inside) sums.absorbed[i] = 1;
    sums.pairs[last] = std::move(pairs);
  }
  return sums;
}

}  // namespace

PlateProgram::PlateProgram(std::shared_ptr<const Plate> plate,
                           const std::function<std::uint32_t(NodeIndex)>& slot)
    : plate_(std::move(plate)) {
  compile(slot);
}

std::uint32_t PlateProgram::scalar(std::uint32_t slot, double number) {
  if (slot != kConstant)
    for (std::uint32_t i = 0; i < scalars_.size(); ++i)
      if (scalars_[i].slot == slot) return i;
  scalars_.push_back({slot, number});
  return static_cast<std::uint32_t>(scalars_.size() - 1);
}

PlateProgram::Source PlateProgram::source(const Plate::Operand& o,
                                          const std::vector<std::uint32_t>& result_of,
                                          const std::function<std::uint32_t(NodeIndex)>& slot) {
  using SourceKind = Source::Kind;
  if (o == kUnit) return {SourceKind::Scalar, scalar(kConstant, 1), false};
  switch (o.kind) {
    case Kind::Shared:
      return {SourceKind::Scalar, scalar(slot(o.at), 0), true};
    case Kind::Number:
      return {SourceKind::Scalar, scalar(kConstant, plate_->numbers[o.at]), false};
    case Kind::Column:
      return {SourceKind::Column, o.at, false};
    case Kind::Gathered:
      return {SourceKind::Gathered, o.at, true};
    case Kind::Step:
      break;
  }
  return {SourceKind::Result, result_of[o.at], true};
}

void PlateProgram::compile(const std::function<std::uint32_t(NodeIndex)>& slot) {
  const Plate& plate = *plate_;
  const Sums sums = find_sums(plate);
  std::vector<std::uint32_t> result_of(plate.steps.size(), 0);
  std::size_t widest = 0;
  for (std::uint32_t s = 0; s < plate.steps.size(); ++s) {
    if (sums.absorbed[s]) continue;
    const Plate::Step& step = plate.steps[s];
    const bool sum = !sums.pairs[s].empty();
    const std::span<const Plate::Operand> operands =
        sum ? std::span<const Plate::Operand>(sums.pairs[s])
            : std::span(plate.operands).subspan(step.first, step.count);
    const auto first = static_cast<std::uint32_t>(sources_.size());
    for (const Plate::Operand& o : operands) sources_.push_back(source(o, result_of, slot));
    result_of[s] = static_cast<std::uint32_t>(instructions_.size());
    instructions_.push_back({sum ? GraphOp::SumOfProducts : step.op, step.density, first,
                             static_cast<std::uint32_t>(operands.size())});
    widest = std::max(widest, operands.size());
  }
  root_ = source(plate.root, result_of, slot);
  for (const auto& nodes : plate.gathered) {
    std::vector<std::uint32_t>& slots = gathered_slots_.emplace_back();
    slots.reserve(nodes.size());
    for (const NodeIndex i : nodes) slots.push_back(slot(i));
  }
  scalar_values_.resize(scalars_.size());
  scalar_sums_.resize(scalars_.size());
  gathered_.resize(gathered_slots_.size() * Plate::kBlock);
  gathered_adjoints_.resize(gathered_.size());
  results_.resize(instructions_.size() * Plate::kBlock);
  result_adjoints_.resize(results_.size());
  terms_.resize(widest);
}

std::size_t PlateProgram::bytes() const {
  std::size_t sum =
      (scalar_values_.size() + gathered_.size() + results_.size()) * 2 * sizeof(double) +
      sources_.size() * sizeof(Source) + instructions_.size() * sizeof(Instruction);
  for (const auto& slots : gathered_slots_) sum += slots.size() * sizeof(std::uint32_t);
  return sum;
}

Lane PlateProgram::lane(const Source& s) const {
  switch (s.kind) {
    case Source::Kind::Scalar:
      return {&scalar_values_[s.at], 0};
    case Source::Kind::Gathered:
      return {gathered_.data() + std::size_t{s.at} * Plate::kBlock, 1};
    case Source::Kind::Column:
      return {plate_->column(block_, s.at), 1};
    case Source::Kind::Result:
      break;
  }
  return {results_.data() + std::size_t{s.at} * Plate::kBlock, 1};
}

AdjointLane PlateProgram::adjoint(const Source& s) {
  if (!s.varies) return {nullptr, 0};
  if (s.kind == Source::Kind::Scalar) return {&scalar_sums_[s.at], 0};
  if (s.kind == Source::Kind::Gathered)
    return {gathered_adjoints_.data() + std::size_t{s.at} * Plate::kBlock, 1};
  return {result_adjoint(s.at), 1};
}

void PlateProgram::load_block(std::size_t block, std::size_t rows, const double* values) {
  block_ = block;
  for (std::size_t k = 0; k < gathered_slots_.size(); ++k) {
    const std::uint32_t* slots = gathered_slots_[k].data() + block * Plate::kBlock;
    double* to = gathered_.data() + k * Plate::kBlock;
    for (std::size_t i = 0; i < rows; ++i) to[i] = values[slots[i]];
  }
}

double PlateProgram::run(const double* values, double* adjoints, double weight, double* scores) {
  std::size_t rows = plate_->rows;
  if (planted(Mistake::BlockLeftOut)) rows -= rows % Plate::kBlock;
  for (std::size_t i = 0; i < scalars_.size(); ++i)
    scalar_values_[i] =
        scalars_[i].slot == kConstant ? scalars_[i].number : values[scalars_[i].slot];
  std::fill(scalar_sums_.begin(), scalar_sums_.end(), 0.0);
  double sum = 0;
  const bool same = root_.kind == Source::Kind::Scalar;  // the score of all rows
  if (same) {
    sum = static_cast<double>(rows) * scalar_values_[root_.at];
    if (root_.varies) scalar_sums_[root_.at] = weight * static_cast<double>(rows);
    if (scores) std::fill_n(scores, rows, scalar_values_[root_.at]);
  }
  for (std::size_t from = 0; from < rows && !same; from += Plate::kBlock) {
    const std::size_t n = std::min<std::size_t>(Plate::kBlock, rows - from);
    load_block(from / Plate::kBlock, n, values);
    for (std::size_t i = 0; i < instructions_.size(); ++i) forward(instructions_[i], result(i), n);
    const Lane score = lane(root_);
    sum += sum_of(score.at, n);
    if (scores) std::copy_n(score.at, n, scores + from);
    if (!adjoints) continue;
    std::fill(result_adjoints_.begin(), result_adjoints_.end(), 0.0);
    std::fill(gathered_adjoints_.begin(), gathered_adjoints_.end(), 0.0);
    if (const AdjointLane to = adjoint(root_); to.at) std::fill_n(to.at, n, weight);
    for (std::size_t i = instructions_.size(); i-- > 0;)
      backward(instructions_[i], result(i), result_adjoint(i), n);
    for (std::size_t k = 0; k < gathered_slots_.size(); ++k) {
      const std::uint32_t* slots = gathered_slots_[k].data() + from;
      const double* of = gathered_adjoints_.data() + k * Plate::kBlock;
      for (std::size_t i = 0; i < n; ++i) adjoints[slots[i]] += of[i];
    }
  }
  if (adjoints)
    for (std::size_t i = 0; i < scalars_.size(); ++i)
      if (scalars_[i].slot != kConstant) adjoints[scalars_[i].slot] += scalar_sums_[i];
  return sum;
}

void PlateProgram::sum_products(const Instruction& i, double* out, std::size_t rows) {
  static const auto first = CHANCEL_WIDEST(scaled);
  static const auto add = CHANCEL_WIDEST(add_scaled);
  static const auto add_four = CHANCEL_WIDEST(add_four_scaled);
  const Source* in = sources_.data() + i.first;
  double factors[4];
  const double* columns[4];
  std::size_t waiting = 0;
  const auto add_waiting = [&] {
    if (waiting == 4)
      add_four(factors, columns, rows, out);
    else
      for (std::size_t k = 0; k < waiting; ++k) add(factors[k], columns[k], rows, out);
    waiting = 0;
  };
  for (std::uint32_t k = 0; k < i.count; k += 2) {
    Lane x = lane(in[k]), y = lane(in[k + 1]);
    if (x.step == 1 && y.step == 0) std::swap(x, y);
    if (x.step == 0 && y.step == 1) {
      if (k == 0) {
        first(*x.at, y.at, rows, out);
        continue;
      }
      factors[waiting] = *x.at;
      columns[waiting] = y.at;
      if (++waiting == 4) add_waiting();
      continue;
    }
    add_waiting();
    if (k == 0)
      binary<elementary::Multiply>(x, y, rows, out);
    else if (x.step)
      for (std::size_t r = 0; r < rows; ++r) out[r] += x.at[r] * y.at[r];
    else
      for (std::size_t r = 0; r < rows; ++r) out[r] += *x.at * *y.at;
  }
  add_waiting();
}

void PlateProgram::sum_products_backward(const Instruction& i, const double* weight,
                                         std::size_t rows) {
  static const auto dot = CHANCEL_WIDEST(dot_product);
  static const auto add = CHANCEL_WIDEST(add_scaled);
  const Source* in = sources_.data() + i.first;
  for (std::uint32_t k = 0; k < i.count; ++k) {
    const AdjointLane to = adjoint(in[k]);
    if (!to.at) continue;
    const Lane factor = lane(in[k ^ 1u]);
    if (planted(Mistake::SharedSlopeLost) && !to.step) rows = 1;
    if (!to.step && factor.step)
      *to.at += dot(weight, factor.at, rows);
    else if (!to.step)
      *to.at += sum_of(weight, rows) * *factor.at;
    else if (!factor.step)
      add(*factor.at, weight, rows, to.at);
    else
      for (std::size_t r = 0; r < rows; ++r) to.at[r] += weight[r] * factor.at[r];
  }
}

void PlateProgram::forward(const Instruction& i, double* out, std::size_t rows) {
  const Source* in = sources_.data() + i.first;
  switch (i.op) {
    case GraphOp::Exp:
      if (const Lane x = lane(in[0]); x.step) return math::exp_all(x.at, 0, out, rows);
      break;
    case GraphOp::Log:
      if (const Lane x = lane(in[0]); x.step) return math::log_all(x.at, out, rows);
      break;
    default:
      break;
  }
  switch (i.op) {
#define CHANCEL_UNARY(name, value, dx) \
  case GraphOp::name:                  \
    return unary<elementary::name>(lane(in[0]), rows, out);
#define CHANCEL_BINARY(name, value, dx, dy) \
  case GraphOp::name:                       \
    return binary<elementary::name>(lane(in[0]), lane(in[1]), rows, out);
#include "record/graph_ops.def"
    case GraphOp::SumOfProducts:
      return sum_products(i, out, rows);
    case GraphOp::LogSumExp:
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::uint32_t k = 0; k < i.count; ++k) terms_[k] = lane(in[k])[r];
        out[r] = log_sum_exp({terms_.data(), i.count});
      }
      return;
    case GraphOp::LogProb: {
      Lane lanes[8];
      for (std::uint32_t k = 0; k < i.count; ++k) lanes[k] = lane(in[k]);
      return i.density->log_prob(lanes, lanes[i.count - 1], rows, out);
    }
    default:
      CHANCEL_ASSERT(false, "not an operation of a plate");
  }
}

void PlateProgram::backward(const Instruction& i, const double* out, const double* weight,
                            std::size_t rows) {
  const Source* in = sources_.data() + i.first;
  switch (i.op) {
#define CHANCEL_UNARY(name, value, dx) \
  case GraphOp::name:                  \
    return unary_backward<elementary::name>(lane(in[0]), out, weight, rows, adjoint(in[0]));
#define CHANCEL_BINARY(name, value, dx, dy)                                               \
  case GraphOp::name:                                                                     \
    return binary_backward<elementary::name>(lane(in[0]), lane(in[1]), out, weight, rows, \
                                             adjoint(in[0]), adjoint(in[1]));
#include "record/graph_ops.def"
    case GraphOp::SumOfProducts:
      return sum_products_backward(i, weight, rows);
    case GraphOp::LogSumExp:
      for (std::uint32_t k = 0; k < i.count; ++k) {
        const Lane x = lane(in[k]);
        // Where all terms are impossible none of them matters more than others.
        add_slopes(weight, rows, adjoint(in[k]), [&](std::size_t r) {
          return out[r] == kLogZero ? 0.0 : math::exp(x[r] - out[r]);
        });
      }
      return;
    case GraphOp::LogProb: {
      Lane lanes[8];
      AdjointLane to[8];
      for (std::uint32_t k = 0; k < i.count; ++k) {
        lanes[k] = lane(in[k]);
        to[k] = adjoint(in[k]);
      }
      return density_backward(*i.density, lanes, i.count, out, weight, rows, to);
    }
    default:
      CHANCEL_ASSERT(false, "not an operation of a plate");
  }
}

}  // namespace chancel
