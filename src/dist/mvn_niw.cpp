// SPDX-License-Identifier: Apache-2.0
// (mvn-niw mu kappa nu psi): a multivariate normal whose mean and covariance have a
// normal-inverse-Wishart prior, integrated out. Produces the predictive multivariate-t with nu - d
// + 1 degrees of freedom; absorbing x updates the four parameters (Murphy 2007, section 9): O(d^2)
// each, and the factorisation is done when producing.
#include "diag/diagnostic.hpp"
#include "dist/kernel/cholesky.hpp"
#include "dist/number_vector.hpp"
#include "dist/object.hpp"

namespace chancel {
extern const DistType* const multivariate_t_dist;
extern const ProcessType* const mvn_niw_process;
namespace {

constexpr const char* kName = "mvn-niw";
constexpr const char* kNames[] = {"mu", "kappa", "nu", "psi"};

// numbers: d, kappa, nu, mu, psi
struct Parts {
  const double* n;
  std::size_t d() const { return static_cast<std::size_t>(n[0]); }
  double kappa() const { return n[1]; }
  double nu() const { return n[2]; }
  const double* mu() const { return n + 3; }
  const double* psi() const { return n + 3 + d(); }
};

Value construct(NativeContext& cx, const Value* args, std::uint32_t) {
  std::vector<double> mu;
  std::vector<double> psi;
  double kappa;
  double nu;
  std::size_t d;
  if (!read_numbers(cx, kName, {"mu", Rule::Finite}, 0, args[0], &mu) ||
      !read_parameter(cx, kName, {"kappa", Rule::Positive}, 1, args[1], &kappa) ||
      !read_parameter(cx, kName, {"nu", Rule::Positive}, 2, args[2], &nu) ||
      !read_square_matrix(cx, kName, "psi", 3, args[3], &psi, &d)) {
    return Value::nil();
  }
  if (d != mu.size()) {
    return cx.fail(Code::D001, "mvn-niw: psi must have as many rows as mu has items", 3);
  }
  if (!(nu > static_cast<double>(d) - 1)) {
    return fail_value(cx, kName, "nu", "above the dimension less one", args[2], 2);
  }
  std::vector<double> factor = psi;
  if (!is_symmetric(psi.data(), d)) return fail_value(cx, kName, "psi", "symmetric", args[3], 3);
  if (!cholesky(factor.data(), d)) {
    return fail_value(cx, kName, "psi", "positive definite", args[3], 3);
  }
  Process* p = make_process(*cx.arena, mvn_niw_process, 4, 3 + d + d * d);
  for (std::size_t i = 0; i < 4; ++i) value_at(p, i) = args[i];
  double* n = p->numbers();
  n[0] = static_cast<double>(d), n[1] = kappa, n[2] = nu;
  std::copy(mu.begin(), mu.end(), n + 3);
  std::copy(psi.begin(), psi.end(), n + 3 + d);
  return Value::object(p);
}

Value produce(NativeContext& cx, const Process* process) {
  const Parts p{process->numbers()};
  const std::size_t d = p.d();
  const double nu = p.nu() - static_cast<double>(d) + 1;
  const double scale = (p.kappa() + 1) / (p.kappa() * nu);
  Scratch<double> sigma(d * d);
  for (std::size_t i = 0; i < d * d; ++i) sigma[i] = scale * p.psi()[i];
  const Value args[] = {Value::real(nu), value_at(process, 0),
                        make_matrix(*cx.arena, sigma.data(), d, d)};
  return multivariate_t_dist->construct(cx, args, 3);
}

Value absorb(NativeContext& cx, const Process* process, const Value& x) {
  const Parts p{process->numbers()};
  const std::size_t d = p.d();
  Scratch<double> difference(d);
  if (!read_vector(x, difference.data(), d)) {
    return fail_type(cx, kName, "what is absorbed", "a vector as long as mu", x, -1);
  }
  for (std::size_t i = 0; i < d; ++i) difference[i] -= p.mu()[i];
  Process* next = make_process(*cx.arena, mvn_niw_process, 4, 3 + d + d * d);
  double* n = next->numbers();
  n[0] = static_cast<double>(d);
  n[1] = p.kappa() + 1;
  n[2] = p.nu() + 1;
  double* mu = n + 3;
  double* psi = n + 3 + d;
  const double weight = p.kappa() / (p.kappa() + 1);
  for (std::size_t i = 0; i < d; ++i) {
    mu[i] = p.mu()[i] + difference[i] / (p.kappa() + 1);
    for (std::size_t j = 0; j < d; ++j) {
      psi[i * d + j] = p.psi()[i * d + j] + weight * difference[i] * difference[j];
    }
  }
  value_at(next, 0) = make_number_vector(*cx.arena, mu, d);
  value_at(next, 1) = Value::real(n[1]);
  value_at(next, 2) = Value::real(n[2]);
  value_at(next, 3) = make_matrix(*cx.arena, psi, d, d);
  return Value::object(next);
}

constexpr ProcessType kType = {
    kName,     kNames,
    4,         "Multivariate normal with a normal-inverse-Wishart prior, integrated out.",
    construct, produce,
    absorb};

}  // namespace

const ProcessType* const mvn_niw_process = &kType;

}  // namespace chancel
