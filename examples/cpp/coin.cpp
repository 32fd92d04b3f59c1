// SPDX-License-Identifier: Apache-2.0
// The bias of a coin: compile a program from text, bind data, take weighted draws one by one.
#include <chancel/chancel.hpp>
#include <cmath>
#include <iostream>
#include <vector>

int main() {
  auto model = chancel::Model::compile(R"(
    (defquery coin [flips]
      (let [bias (sample (beta 1 1))]
        (map (fn [x] (observe (flip bias) x)) flips)
        (predict :bias bias))))");

  chancel::InferOptions options;
  options.algorithm = "smc";
  options.engine_options = {{"number-of-particles", 1000}};
  options.samples = 20000;
  options.seed = 1;
  options.bind("flips", std::vector<bool>{true, true, false, true});

  double sum = 0, weights = 0;
  chancel::Inference run = model.infer("coin", options);
  for (const chancel::Draw& draw : run) {
    const double weight = std::exp(draw.log_weight);
    sum += weight * draw["bias"].number();
    weights += weight;
  }
  const double mean = sum / weights;
  std::cout << "mean " << mean << ", log evidence " << *run.statistics().log_evidence << "\n";

  // Beta(4, 2) has mean 2/3; the evidence is B(4, 2) = 1/20.
  return std::fabs(mean - 2.0 / 3) < 0.01 &&
                 std::fabs(*run.statistics().log_evidence - std::log(0.05)) < 0.05
             ? 0
             : 1;
}
