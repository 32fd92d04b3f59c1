// SPDX-License-Identifier: Apache-2.0
// Queries for tests of native code, at their prefix.
#pragma once
#include "../small_query.hpp"
#include "infer/prefix.hpp"

namespace chancel {

// A random walk: two observes, then the end.
inline const char* const kWalk = R"((defquery walk []
  (let [x (sample (normal 0 1))]
    (observe (normal x 1) 0.5)
    (let [y (sample (normal x 2))]
      (observe (normal y 1) 1.5)
      (predict :y y)
      (+ x y)))))";
// A coin decides whether there is another observe.
inline const char* const kParting = R"((defquery parting []
  (let [more (sample (flip 0.5))]
    (observe (flip 0.7) true)
    (if more (observe (flip 0.4) true))
    more)))";

class AtPrefix {
 public:
  explicit AtPrefix(const char* text)
      : query_(text), setup_(query_.setup()), workers_(setup_, nullptr, 64 << 20) {
    EXPECT_TRUE(prefix_.run(machine(), setup_));
    machine().wants = {false, true};
  }
  Executor& machine() { return workers_.machine(); }
  const RunSetup& setup() const { return setup_; }
  const Prefix& prefix() const { return prefix_; }
  Heap& heap() { return workers_.heap(); }

 private:
  SmallQuery query_;
  RunSetup setup_;
  WorkerPool workers_;
  Prefix prefix_;
};

}  // namespace chancel
