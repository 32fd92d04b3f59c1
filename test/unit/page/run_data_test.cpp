// SPDX-License-Identifier: Apache-2.0
// What a page knows of a run it has from the one reader of run.json.
#include "page/run_data.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <tuple>

namespace chancel::page {
namespace {

TEST(RunData, ParticlesAreAmongTheOptionsOfTheRun) {
  const auto directory =
      std::filesystem::temp_directory_path() / ("chancel-run-data-" + std::to_string(::getpid()));
  for (const auto& [algorithm, given, particles] :
       {std::tuple{"smc", ":number-of-particles 7", 7.0}, {"smc", "", 100.0}, {"lmh", "", 0.0}}) {
    std::filesystem::remove_all(directory);
    RunDescription run;
    run.source = "(defquery q 1)";
    run.dialect = "clojure";
    run.info.program = "q.clj";
    run.info.algorithm = algorithm;
    run.info.engine_options = read_engine_options(given);
    { const RunRecorder recorder(directory.string(), run); }
    EXPECT_EQ(particles_of(read_run(directory.string())), particles) << algorithm << given;
  }
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace chancel::page
