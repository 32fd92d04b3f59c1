// SPDX-License-Identifier: Apache-2.0
#include "front/foreign_names.hpp"

#include <gtest/gtest.h>

namespace chancel::front {
namespace {

TEST(ForeignNames, WordsOfStanPyMCAndNumPy) {
  const std::vector<std::string> known = {
      "normal", "half-normal", "bernoulli", "student-t", "student-t-loc-scale",
      "mvn",    "sigmoid",     "my-rate"};
  for (const auto& [theirs, hint] : {
           std::pair{"gaussian", "did you mean normal?"},
           std::pair{"np.random.normal", "did you mean normal?"},
           std::pair{"normal_lpdf", "did you mean normal?"},
           std::pair{"pm.HalfNormal", "did you mean half-normal?"},
           std::pair{"halfnormal", "did you mean half-normal?"},
           std::pair{"bernoulli-rng", "did you mean bernoulli?"},
           std::pair{"student_t", "did you mean student-t-loc-scale?"},
           std::pair{"np.random.randn", "write (sample (normal 0 1))"},
           std::pair{"inv_logit", "did you mean sigmoid?"},
           std::pair{"multi_normal_rng", "did you mean mvn?"},
           std::pair{"my_rate", "did you mean my-rate?"},
           std::pair{"len", ""},  // count is not among the names
           std::pair{"nromal", ""},
           std::pair{".", ""},
           std::pair{"rng", ""},
       }) {
    EXPECT_EQ(foreign_name_hint(theirs, known), hint) << theirs;
  }
}

}  // namespace
}  // namespace chancel::front
