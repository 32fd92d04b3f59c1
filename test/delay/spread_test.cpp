// SPDX-License-Identifier: Apache-2.0
// Delayed sampling never makes estimates worse: the spread of the log evidence over sweeps, with and
// without, on the programs of this folder and on those of models/ that it can do something with.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "answers.hpp"
#include "delayed_run.hpp"

namespace delayed {
namespace {

constexpr std::uint64_t kSweeps = 100;

// Two equal spreads of 100 sweeps each have a larger ratio than this once in 4000 tries.
constexpr double kChance = 1.42;

double spread(const std::string& program, int particles, bool delayed) {
  const std::string options = ":number-of-particles " + std::to_string(particles) +
                              (delayed ? " :delayed true" : " :delayed false");
  return run(program, {"smc", options}, kSweeps * static_cast<std::uint64_t>(particles), 11).spread;
}

TEST(Spread, IsNothingWhereAllIsSummedOut) {
  for (const Answer& a : answers()) {
    EXPECT_LT(spread(a.program, 10, true), 1e-9) << a.name;
    EXPECT_GT(spread(a.program, 10, false), 1e-2) << a.name;
  }
}

std::string model(const std::string& path) {
  std::ifstream in(std::string(CHANCEL_SOURCE_DIR) + "/models/" + path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(Spread, IsNotLargerWhereOnlyPartIsSummedOut) {
  struct Row {
    const char* path;
    double at_most;  // of the spread without
    int particles = 10;
  };
  for (const Row& row :
       {Row{"crp/crp.clj", 0.2}, Row{"hmm-parameter/hmm-parameter.clj", 0.8},
        Row{"mixture/mixture.clj", kChance}, Row{"kept/clipped.clj", 0.5},
        Row{"kept/spike.clj", 0.9}, Row{"random-length/random-length.clj", 1},
        Row{"conditional/exact.clj", kChance}, Row{"kept/lengths.clj", kChance},
        Row{"unaligned/unaligned.clj", kChance}, Row{"dirac/dirac.clj", kChance, 200},
        Row{"dp-mixture/dp-mixture.clj", kChance}}) {
    const std::string text = model(row.path);
    EXPECT_LE(spread(text, row.particles, true), row.at_most * spread(text, row.particles, false))
        << row.path;
  }
}

}  // namespace
}  // namespace delayed
