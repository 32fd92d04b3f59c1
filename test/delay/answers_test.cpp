// SPDX-License-Identifier: Apache-2.0
// Delayed sampling against closed forms, with every engine that has the option.
#include <gtest/gtest.h>

#include "check.hpp"

namespace delayed {
namespace {

class Answers : public ::testing::TestWithParam<std::size_t> {
 protected:
  const Answer& answer() const { return answers()[GetParam()]; }
  void expect(const Setting& setting, std::uint64_t samples) {
    EXPECT_EQ(difference(answer(), setting, samples, 7), "");
  }
};

TEST_P(Answers, SmcWithOneParticle) {
  expect({"smc", ":delayed true :number-of-particles 1"}, 4000);
}
TEST_P(Answers, Importance) { expect({"importance", ":delayed true"}, 2000); }
TEST_P(Answers, Smc) { expect({"smc", ":delayed true :number-of-particles 5"}, 2000); }
TEST_P(Answers, Pimh) { expect({"pimh", ":delayed true :number-of-particles 5"}, 2000); }
TEST_P(Answers, Pgibbs) { expect({"pgibbs", ":delayed true :number-of-particles 5"}, 4000); }
TEST_P(Answers, Pgas) { expect({"pgas", ":delayed true :number-of-particles 5"}, 4000); }
TEST_P(Answers, Ipmcmc) {
  expect(
      {"ipmcmc", ":delayed true :number-of-particles 5 :number-of-nodes 4 :number-of-csmc-nodes 2"},
      4000);
}
TEST_P(Answers, Pcascade) { expect({"pcascade", ":delayed true :number-of-particles 20"}, 2000); }

// The same bits at any number of threads, and for forced draws as checkpoints (pgas).
TEST_P(Answers, Threads) {
  for (const char* engine : {"smc", "pgibbs", "pgas", "pcascade", "importance"}) {
    const bool populated = std::string(engine) != "importance";
    const Setting setting{engine,
                          populated ? ":delayed true :number-of-particles 30" : ":delayed true"};
    const std::string one = run(answer().program, setting, 90, 3, 1).bits;
    for (const unsigned threads : {2u, 3u, 7u, 16u})
      EXPECT_EQ(run(answer().program, setting, 90, 3, threads).bits, one)
          << engine << " with " << threads << " threads";
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Answers, ::testing::Range<std::size_t>(0, answers().size()),
                         [](const auto& info) { return answers()[info.param].name; });

}  // namespace
}  // namespace delayed
