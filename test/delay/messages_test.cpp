// SPDX-License-Identifier: Apache-2.0
// A program that is wrong gets the same message, at the same place, with and without delayed
// sampling.
#include <gtest/gtest.h>

#include "delayed_run.hpp"

namespace delayed {
namespace {

std::string message(const std::string& program, const Setting& setting) {
  try {
    run(program, setting, 20, 3);
  } catch (const chancel::Error& e) {
    return e.messages().at(0).text;
  }
  return "none";
}

TEST(Messages, AreTheSame) {
  for (const char* wrong : {"(throw :tag 1)",
                            "(+ x :a)",
                            "(nth v 5)",
                            "(sample v)",
                            "(observe (normal x 0) 1)",
                            "(observe (normal x 1) :a)",
                            "(sample (normal x -1))",
                            "(sample (mvn [x y] [[1 2] [3 4]]))",
                            "(observe (mvn [x y] [[1 0] [0 1]]) [1 2 3])",
                            "(observe (flip p) 3)",
                            "(observe (binomial 2 p) 5)",
                            "(observe (poisson g) -1)",
                            "(observe (discrete w) 7)",
                            "(observe (exponential g) -2)",
                            "(observe (gamma 2 g) :a)",
                            "(sample (binomial -1 p))",
                            "(sample (gamma -1 g))",
                            "(f x x)",
                            "(factor :a)",
                            "(assert (> x 100))",
                            "(observe (nth [4 4] k) 1)",
                            "(sample (nth [4 4] k))",
                            "(observe (nth [(normal 0 1) (normal 1 2)] k) :a)"}) {
    const std::string program =
        "(defquery q []\n"
        "  (let [x (sample (normal 0 1)), y (sample (normal x 1)), g (sample (gamma 2 1))\n"
        "        p (sample (beta 1 1)), w (sample (dirichlet [1 2])), k (sample (discrete [1 1]))\n"
        "        v [x y], f (fn [a] a)]\n    " +
        std::string(wrong) + "\n    (predict :x x)))";
    const std::string plain = message(program, {"smc", ":number-of-particles 5"});
    EXPECT_NE(plain, "none") << wrong;
    for (const char* engine : {"smc", "pgas"})
      EXPECT_EQ(message(program, {engine, ":number-of-particles 5 :delayed true"}), plain) << wrong;
  }
}

}  // namespace
}  // namespace delayed
