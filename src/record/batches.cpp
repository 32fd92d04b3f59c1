// SPDX-License-Identifier: Apache-2.0
// See batches.hpp: evaluation. The plan is made in batches_plan.cpp.
#include "record/batches.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/planted.hpp"
#include "math/elementary.hpp"
#include "math/log_space.hpp"
#include "record/array_ops.hpp"
#include "record/elementary.hpp"
#include "record/lane_ops.hpp"

namespace chancel {

namespace {

// Rows of a sum that are worked on together.
constexpr std::uint32_t kPiece = 256;

// sum += x * y
void add_products(Lane x, Lane y, std::size_t rows, double* sum) {
  if (x.step && y.step) {
    for (std::size_t i = 0; i < rows; ++i) sum[i] += x.at[i] * y.at[i];
  } else if (x.step) {
    const double b = *y.at;
    for (std::size_t i = 0; i < rows; ++i) sum[i] += x.at[i] * b;
  } else {
    const double a = *x.at;
    for (std::size_t i = 0; i < rows; ++i) sum[i] += a * y.at[i * y.step];
  }
}
// In four sums, which need not wait for each other.
double sum_of_products(const double* x, Lane y, std::size_t rows) {
  double sums[4] = {};
  std::size_t i = 0;
  if (y.step) {
    for (; i + 4 <= rows; i += 4)
      for (std::size_t k = 0; k < 4; ++k) sums[k] += x[i + k] * y.at[i + k];
    for (; i < rows; ++i) sums[0] += x[i] * y.at[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
  for (; i + 4 <= rows; i += 4)
    for (std::size_t k = 0; k < 4; ++k) sums[k] += x[i + k];
  for (; i < rows; ++i) sums[0] += x[i];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) * *y.at;
}

}  // namespace

Lane Batches::read(const Operand& operand, std::uint32_t rows, std::uint32_t which) {
  if (!operand.scattered) return {values_.data() + operand.base, operand.step};
  double* to = gathered_.data() + std::size_t{which} * rows;
  const Slot* from = indices_.data() + operand.base;
  for (std::uint32_t i = 0; i < rows; ++i) to[i] = values_[from[i]];
  return {to, 1};
}

AdjointLane Batches::adjoint(const Operand& operand, std::uint32_t rows, std::uint32_t which) {
  if (!operand.varies) return {nullptr, 0};
  if (!operand.scattered) return {adjoints_.data() + operand.base, operand.step};
  double* to = gathered_adjoints_.data() + std::size_t{which} * rows;
  std::fill_n(to, rows, 0.0);
  return {to, 1};
}

void Batches::scatter(const Operand& operand, std::uint32_t rows, std::uint32_t which) {
  if (!operand.varies || !operand.scattered) return;
  const double* from = gathered_adjoints_.data() + std::size_t{which} * rows;
  const Slot* to = indices_.data() + operand.base;
  for (std::uint32_t i = 0; i < rows; ++i) adjoints_[to[i]] += from[i];
}

// Sums, a piece of the rows at a time, so that they stay in the fastest cache.
void Batches::sum_products(const Batch& b) {
  const Operand* in = operands_.data() + b.first;
  double x[kPiece], y[kPiece];
  for (std::uint32_t from = 0; from < b.rows; from += kPiece) {
    const std::uint32_t rows = std::min(kPiece, b.rows - from);
    double* sum = values_.data() + b.out + from;
    for (std::uint32_t k = 0; k < b.count; k += 2) {
      const Lane p = piece(in[k], from, rows, x), q = piece(in[k + 1], from, rows, y);
      if (k == 0)
        binary<elementary::Multiply>(p, q, rows, sum);
      else
        add_products(p, q, rows, sum);
    }
  }
}

void Batches::sum_products_backward(const Batch& b) {
  const Operand* in = operands_.data() + b.first;
  double other[kPiece];
  for (std::uint32_t k = 0; k < b.count; ++k) {
    const Operand& to = in[k];
    if (!to.varies) continue;
    const Operand& factor = in[k ^ 1u];
    for (std::uint32_t from = 0; from < b.rows; from += kPiece) {
      const std::uint32_t rows = std::min(kPiece, b.rows - from);
      const double* weight = adjoints_.data() + b.out + from;
      const Lane f = piece(factor, from, rows, other);
      if (to.scattered) {
        const Slot* slots = indices_.data() + to.base + from;
        for (std::uint32_t i = 0; i < rows; ++i) adjoints_[slots[i]] += weight[i] * f[i];
      } else if (to.step) {
        add_products({weight, 1}, f, rows, adjoints_.data() + to.base + from);
      } else {
        adjoints_[to.base] += sum_of_products(weight, f, rows);
      }
    }
  }
}

Lane Batches::piece(const Operand& operand, std::uint32_t from, std::uint32_t rows,
                    double* room) const {
  if (!operand.scattered)
    return {values_.data() + operand.base + std::size_t{from} * operand.step, operand.step};
  const Slot* slots = indices_.data() + operand.base + from;
  for (std::uint32_t i = 0; i < rows; ++i) room[i] = values_[slots[i]];
  return {room, 1};
}

// Batches of one row are most of what recursions (time series, differential equations) consist of.
// Their operands are slots; adjoints of constants are written and never read.
bool Batches::run_one(const Batch& b) {
  const Operand* in = operands_.data() + b.first;
  const double* v = values_.data();
  switch (b.op) {
#define CHANCEL_UNARY(name, value, dx)                    \
  case GraphOp::name:                                     \
    values_[b.out] = elementary::name::of(v[in[0].base]); \
    return true;
#define CHANCEL_BINARY(name, value, dx, dy)                              \
  case GraphOp::name:                                                    \
    values_[b.out] = elementary::name::of(v[in[0].base], v[in[1].base]); \
    return true;
#include "record/graph_ops.def"
    case GraphOp::SumOfProducts: {
      double sum = v[in[0].base] * v[in[1].base];
      for (std::uint32_t k = 2; k < b.count; k += 2) sum += v[in[k].base] * v[in[k + 1].base];
      values_[b.out] = sum;
      return true;
    }
    default:
      return false;
  }
}

bool Batches::run_one_backward(const Batch& b) {
  const Operand* in = operands_.data() + b.first;
  const double* v = values_.data();
  double* to = adjoints_.data();
  const double weight = to[b.out];
  const double r = v[b.out];
  switch (b.op) {
#define CHANCEL_UNARY(name, value, dx)                                    \
  case GraphOp::name:                                                     \
    to[in[0].base] += weight * elementary::name::slope(v[in[0].base], r); \
    return true;
#define CHANCEL_BINARY(name, value, dx, dy)                                          \
  case GraphOp::name: {                                                              \
    const double x = v[in[0].base], y = v[in[1].base];                               \
    if (in[0].varies) to[in[0].base] += weight * elementary::name::slope_x(x, y, r); \
    if (in[1].varies) to[in[1].base] += weight * elementary::name::slope_y(x, y, r); \
    return true;                                                                     \
  }
#include "record/graph_ops.def"
    case GraphOp::SumOfProducts:
      for (std::uint32_t k = 0; k < b.count; k += 2) {
        to[in[k].base] += weight * v[in[k + 1].base];
        to[in[k + 1].base] += weight * v[in[k].base];
      }
      return true;
    default:
      return false;
  }
}

std::span<const double> Batches::read_all(const Batch& b) {
  for (std::uint32_t k = 0; k < b.count; ++k) numbers_[k] = values_[operands_[b.first + k].base];
  return {numbers_.data(), b.count};
}

void Batches::add_to_operands(const Batch& b, double weight) {
  for (std::uint32_t k = 0; k < b.count; ++k) {
    const Operand& to = operands_[b.first + k];
    if (to.varies) adjoints_[to.base] += slope_part(weight, slopes_[k]);
  }
}

void Batches::run(const Batch& b) {
  if (b.rows == 1 && run_one(b)) return;
  const Operand* in = operands_.data() + b.first;
  double* out = values_.data() + b.out;
  switch (b.op) {
#define CHANCEL_UNARY(name, value, dx)                            \
  case GraphOp::name:                                             \
    unary<elementary::name>(read(in[0], b.rows, 0), b.rows, out); \
    break;
#define CHANCEL_BINARY(name, value, dx, dy)                                                \
  case GraphOp::name:                                                                      \
    binary<elementary::name>(read(in[0], b.rows, 0), read(in[1], b.rows, 1), b.rows, out); \
    break;
#include "record/graph_ops.def"
    case GraphOp::SumOfProducts:
      sum_products(b);
      break;
    case GraphOp::LogSumExp: {
      for (std::uint32_t k = 0; k < b.count; ++k) lanes_[k] = read(in[k], b.rows, k);
      for (std::uint32_t i = 0; i < b.rows; ++i) {
        for (std::uint32_t k = 0; k < b.count; ++k) numbers_[k] = lanes_[k][i];
        out[i] = log_sum_exp({numbers_.data(), b.count});
      }
      break;
    }
    case GraphOp::LogProb: {
      Lane lanes[8];
      for (std::uint32_t k = 0; k < b.count; ++k) lanes[k] = read(in[k], b.rows, k);
      b.density->log_prob(lanes, lanes[b.count - 1], b.rows, out);
      break;
    }
    case GraphOp::WideLogProb: {
      *out = wide_.log_prob(distributions_[b.wide], read_all(b).data());
      break;
    }
    case GraphOp::Cholesky:
    case GraphOp::Inverse:
    case GraphOp::Determinant:
    case GraphOp::Solution:
    case GraphOp::Softmax:
      array_values(b.op, read_all(b), {out, b.results});
      break;
    case GraphOp::Element:
    case GraphOp::Constant:
    case GraphOp::Input:
      break;
  }
}

void Batches::run_backward(const Batch& b) {
  if (b.rows == 1 && run_one_backward(b)) return;
  const Operand* in = operands_.data() + b.first;
  const double* out = values_.data() + b.out;
  const double* weight = adjoints_.data() + b.out;
  switch (b.op) {
#define CHANCEL_UNARY(name, value, dx)                                            \
  case GraphOp::name:                                                             \
    unary_backward<elementary::name>(read(in[0], b.rows, 0), out, weight, b.rows, \
                                     adjoint(in[0], b.rows, 0));                  \
    scatter(in[0], b.rows, 0);                                                    \
    break;
#define CHANCEL_BINARY(name, value, dx, dy)                                                        \
  case GraphOp::name:                                                                              \
    binary_backward<elementary::name>(read(in[0], b.rows, 0), read(in[1], b.rows, 1), out, weight, \
                                      b.rows, adjoint(in[0], b.rows, 0),                           \
                                      adjoint(in[1], b.rows, 1));                                  \
    scatter(in[0], b.rows, 0);                                                                     \
    scatter(in[1], b.rows, 1);                                                                     \
    break;
#include "record/graph_ops.def"
    case GraphOp::SumOfProducts:
      sum_products_backward(b);
      break;
    case GraphOp::LogSumExp:
      for (std::uint32_t k = 0; k < b.count; ++k) {
        const Lane x = read(in[k], b.rows, k);
        // Where all terms are impossible none of them matters more than others.
        add_slopes(weight, b.rows, adjoint(in[k], b.rows, k), [&](std::size_t i) {
          return out[i] == kLogZero ? 0.0 : math::exp(x[i] - out[i]);
        });
        scatter(in[k], b.rows, k);
      }
      break;
    case GraphOp::LogProb: {
      Lane lanes[8];
      AdjointLane to[8];
      for (std::uint32_t k = 0; k < b.count; ++k) {
        lanes[k] = read(in[k], b.rows, k);
        to[k] = adjoint(in[k], b.rows, k);
      }
      density_backward(*b.density, lanes, b.count, out, weight, b.rows, to);
      for (std::uint32_t k = 0; k < b.count; ++k) scatter(in[k], b.rows, k);
      break;
    }
    case GraphOp::WideLogProb: {
      if (*weight == 0 || !std::isfinite(*out)) break;
      wide_.gradient(distributions_[b.wide], read_all(b).data(), slopes_.data());
      add_to_operands(b, *weight);
      break;
    }
    case GraphOp::Cholesky:
    case GraphOp::Inverse:
    case GraphOp::Determinant:
    case GraphOp::Solution:
    case GraphOp::Softmax:
      if (std::all_of(weight, weight + b.results, [](double w) { return w == 0; })) break;
      array_slopes(b.op, read_all(b), {out, b.results}, {weight, b.results}, slopes_.data());
      add_to_operands(b, 1);
      break;
    case GraphOp::Element:
    case GraphOp::Constant:
    case GraphOp::Input:
      break;
  }
}

void Batches::forward(const double* inputs) {
  std::copy_n(inputs, input_count_, values_.begin());
  const std::size_t end = root_batches_ - (planted(Mistake::BatchLeftOut) ? 1 : 0);
  for (std::size_t i = 0; i < end; ++i) run(batches_[i]);
}

void Batches::forward_outputs() {
  if (planted(Mistake::OutputsStale)) return;
  for (std::size_t i = root_batches_; i < batches_.size(); ++i) run(batches_[i]);
}

Batches::Sums Batches::sums(bool slopes, double likelihood_weight) {
  const auto sum = [&](const std::vector<NodeIndex>& nodes) {
    double total = 0;
    for (const NodeIndex i : nodes) total += value(i);
    return total;
  };
  Sums out{sum(terms_.priors), sum(terms_.likelihood), sum(terms_.jacobians)};
  if (slopes) std::fill_n(adjoints_.begin(), varying_, 0.0);
  for (PlateProgram& plate : plates_) {
    const bool likelihood = plate.kind() == TermKind::Likelihood;
    const double score = plate.run(values_.data(), slopes ? adjoints_.data() : nullptr,
                                   likelihood ? likelihood_weight : 1);
    (likelihood                        ? out.likelihood
     : plate.kind() == TermKind::Prior ? out.prior
                                       : out.jacobian) += score;
  }
  return out;
}

void Batches::backward(double likelihood_weight, double* gradient) {
  const auto add = [&](std::span<const NodeIndex> terms, double weight) {
    for (const NodeIndex term : terms) adjoints_[slots_[term]] += weight;
  };
  add(terms_.priors, 1);
  add(terms_.likelihood, likelihood_weight);
  add(terms_.jacobians, 1);
  for (std::size_t i = term_batches_; i-- > 0;) run_backward(batches_[i]);
  std::copy_n(adjoints_.begin(), input_count_, gradient);
}

std::vector<double> Batches::scores_of_plate(std::size_t plate) {
  std::vector<double> scores(plates_[plate].plate().rows);
  plates_[plate].run(values_.data(), nullptr, 1, scores.data());
  return scores;
}

std::size_t Batches::bytes() const {
  return batches_.capacity() * sizeof(Batch) + operands_.capacity() * sizeof(Operand) +
         (indices_.capacity() + slots_.capacity()) * sizeof(Slot) +
         (values_.capacity() + adjoints_.capacity() + gathered_.capacity() +
          gathered_adjoints_.capacity()) *
             sizeof(double) +
         std::accumulate(
             plates_.begin(), plates_.end(), std::size_t{0},
             [](std::size_t sum, const PlateProgram& plate) { return sum + plate.bytes(); });
}

}  // namespace chancel
