// SPDX-License-Identifier: Apache-2.0
// Runs of a query that the tests of auto look at.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "chancel/chancel.hpp"
#include "chancel/summary.hpp"

namespace chancel::test {

struct Drawn {
  std::vector<double> xs;  // the predict :x of all draws
  std::vector<std::uint32_t> chains;
  RunStatistics statistics;
  Summary summary;
  std::string printed;
};

inline Drawn infer(const std::string& text, const std::function<void(InferOptions&)>& change = {}) {
  Drawn out;
  CompileOptions compile;
  compile.output = [&](std::string_view s) { out.printed += s; };
  auto model = Model::compile(text, compile);
  InferOptions o;
  o.seed = 3;
  o.threads = 1;
  if (change) change(o);
  auto run = model.infer(model.default_query(), o);
  SummaryBuilder builder;
  for (const Draw& d : run) {
    builder.add(d);
    out.chains.push_back(d.chain);
    if (d.find("x")) out.xs.push_back(d["x"].number());
  }
  out.statistics = run.statistics();
  out.summary = builder.summary(out.statistics, 1);
  return out;
}

inline std::string choice(const std::string& text) {
  return infer(text, [](InferOptions& o) { o.limits.timeout = 0.2; }).statistics.choice;
}

// What it says of the choice.
inline std::string gradient(const std::string& why) { return "engine nuts: " + why; }
inline std::string mixed(const std::string& why) { return "lmh+nuts: " + why; }

inline const char* const kLine =
    "(defquery q (let [a (sample (normal 0 3)) b (sample (normal 0 3))]"
    " (doseq [[x y] [[0 1.1] [1 2.9] [2 5.2] [3 7.1]]] (observe (normal (+ a (* b x)) 1) y))"
    " (predict :x b)))";

}  // namespace chancel::test
