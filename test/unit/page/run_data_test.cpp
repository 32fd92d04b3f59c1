// SPDX-License-Identifier: Apache-2.0
#include "page/run_data.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace chancel::page {
namespace {

TEST(RunData, ParticlesAreAmongTheOptionsOfTheRun) {
  for (const auto& [algorithm, given, particles] :
       {std::tuple{"smc", ":number-of-particles 7", 7.0}, {"smc", "", 100.0}, {"lmh", "", 0.0}}) {
    RunInfo info;
    info.algorithm = algorithm;
    info.engine_options = read_engine_options(given);
    EXPECT_EQ(particles_of(info, algorithm), particles) << algorithm << given;
  }
}

}  // namespace
}  // namespace chancel::page
