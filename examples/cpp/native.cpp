// SPDX-License-Identifier: Apache-2.0
// A function and a distribution of the host program, called from a query.
#include <chancel/chancel.hpp>
#include <cmath>
#include <iostream>
#include <limits>

int main() {
  chancel::CompileOptions compile;

  // Called on several threads at the same time: no state.
  compile.functions.push_back({"squash", 1, 1, [](chancel::NativeCall& call) {
                                 return call.real(1 / (1 + std::exp(-call.number(0))));
                               }});

  chancel::NativeDistribution triangular;
  triangular.name = "triangular";
  triangular.parameters = {"width"};
  triangular.check = [](chancel::NativeCall& p) {
    if (!(p.number(0) > 0)) throw chancel::BadArgument(0, "the width must be positive");
  };
  triangular.sample = [](chancel::NativeCall& p, chancel::Randomness& random) {
    return p.real(p.number(0) * (random.uniform() - random.uniform()));
  };
  triangular.log_prob = [](chancel::NativeCall& p, const chancel::ValueView& x) {
    if (!x.is_number()) return -std::numeric_limits<double>::infinity();
    return std::log(1 - std::fabs(x.number()) / p.number(0)) - std::log(p.number(0));
  };
  compile.distributions.push_back(triangular);

  auto model = chancel::Model::compile(R"(
    (defquery q
      (let [x (sample (triangular 2))]
        (observe (flip (squash x)) true)
        (predict :x x))))",
                                       compile);

  chancel::InferOptions options;
  options.algorithm = "lmh";
  options.samples = 40000;
  options.seed = 2;
  double sum = 0;
  for (const chancel::Draw& draw : model.infer("q", options)) sum += draw["x"].number();
  const double mean = sum / 40000;
  std::cout << "mean " << mean << "\n";

  // 2 * integral of x squash(x) (1 - |x| / 2) / 2 over [-2, 2], by quadrature: 0.29653.
  return std::fabs(mean - 0.29653) < 0.03 ? 0 : 1;
}
