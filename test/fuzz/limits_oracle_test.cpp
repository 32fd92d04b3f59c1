// SPDX-License-Identifier: Apache-2.0
// The oracle sees what it is there for, and nothing else.
#include "limits_oracle.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <stdexcept>
#include <vector>

namespace chancel::fuzz {
namespace {

constexpr CaseLimits kLimits{0.2, std::size_t{20} << 20};

TEST(LimitsOracle, PassesWhatKeepsToItsLimits) {
  EXPECT_EQ(finding_of(kLimits, [] { return std::string("error[R001]: wrong type"); }), "");
}

TEST(LimitsOracle, FindsSignals) {
  EXPECT_EQ(finding_of(kLimits,
                       [] {
                         raise(SIGKILL);
                         return std::string();
                       }),
            "signal 9");
}

TEST(LimitsOracle, FindsInternalErrors) {
  EXPECT_NE(finding_of(kLimits, [] { return std::string("error[X001]: internal error"); }), "");
  EXPECT_NE(finding_of(kLimits, []() -> std::string { throw std::logic_error("broken"); }), "");
}

TEST(LimitsOracle, FindsTimeAndMemory) {
  const auto work = [] {
    volatile bool go_on = true;
    while (go_on) {
    }
    return std::string();
  };
  EXPECT_NE(finding_of(kLimits, work), "");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const auto grow = [] {
    std::vector<char> bytes(std::size_t{200} << 20, 'x');
    return std::string(bytes.data() + 1000, 1);
  };
  EXPECT_NE(finding_of({5, std::size_t{20} << 20}, grow), "");
#endif
}

}  // namespace
}  // namespace chancel::fuzz
