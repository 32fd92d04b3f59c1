// SPDX-License-Identifier: Apache-2.0
// An execution that puts draws off, without a machine: the test makes the calls of the run loop.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "delay/delayed_draws.hpp"
#include "dist/distribution.hpp"
#include "value/number.hpp"

namespace chancel {

class DelayTest : public ::testing::Test {
 protected:
  Heap heap;
  Arena arena{heap};
  NativeContext cx{arena};
  DelayedDraws draws;

  static Value real(double x) { return Value::real(x); }
  Value vector(const std::vector<Value>& items) {
    return make_vector(arena, items.data(), items.size());
  }
  // (name args...)
  Value dist(const char* name, const std::vector<Value>& args) {
    return draws.construct(cx, find_distribution(name), args.data(),
                           static_cast<std::uint32_t>(args.size()));
  }
  // (sample dist) as a node.
  Value put_off(Value dist, std::uint32_t site = 1) {
    EXPECT_TRUE(draws.put_off(cx, &dist, site, Value::nil()));
    return dist;
  }
  // The score of (observe dist x).
  double observe(const Value& dist, const Value& x) {
    double score = NAN;
    EXPECT_TRUE(draws.observe(cx, dist, x, 2, &score));
    return score;
  }
  // The value is needed: the distribution of the draw that the execution then waits for.
  const Dist* wanted_for(const Value& v) {
    draws.pin(cx, v);
    EXPECT_EQ(cx.status, NativeContext::Status::NeedDraw);
    return draws.wanted().distribution.as<Dist>();
  }
  void answer(const Value& value) {
    cx.status = NativeContext::Status::Ok;
    draws.answer(cx, value);
  }
  Value pinned(const Value& v) {
    const Value out = draws.pin(cx, v);
    EXPECT_TRUE(cx.ok());
    return out;
  }
  static double parameter(const Dist* d, std::uint32_t i) { return to_double(d->values[i]); }
};

}  // namespace chancel
