// SPDX-License-Identifier: Apache-2.0
// A tiny program under an engine whose random numbers are given. What it shows is kept as a text
// (the signature) and as the weight that each state of the program (the text of its predicts) got.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/planted.hpp"
#include "infer/engine.hpp"
#include "runs/doqueries.hpp"
#include "runs/query_stream.hpp"
#include "runs/run_setup.hpp"
#include "session/session.hpp"

namespace exact {

class Program {
 public:
  explicit Program(const std::string& text);
  struct NoTarget {};
  Program(const std::string& text, NoTarget);  // a program that cannot be enumerated
  chancel::RunSetup setup(chancel::Stream::Source* source);
  // Prior times likelihood of each state, from the enumerate engine (checked by hand in
  // exact_test).
  const std::map<std::string, double>& target() const { return target_; }
  double evidence() const { return evidence_; }
  // From now on particles are run by native code where it can (CountedTier counts their turns).
  void run_natively(chancel::NativeUse use = chancel::NativeUse::Always) { native_ = use; }
  std::size_t index(const std::string& state) const;  // among the states, in their order
  // Prior times likelihood of each state by enumeration; empty after too many steps. `moved`: of the
  // query in the order of compile/hoist.hpp, and whether that is another one.
  std::map<std::string, double> table(bool* moved, std::size_t most = ~std::size_t{0},
                                      const chancel::core::LibraryUses* uses = nullptr);

 private:
  std::unique_ptr<chancel::Session> session_;
  chancel::LoadResult loaded_;
  std::unique_ptr<chancel::RunHost> host_;
  std::map<std::string, double> target_;
  double evidence_ = 0;
  chancel::TestProbe probe_;  // of the last setup()
  chancel::NativeUse native_ = chancel::NativeUse::Never;
};

// What a step of an engine gave.
struct Step {
  std::vector<std::pair<std::string, double>> draws;  // state, log-weight
  std::vector<chancel::BarrierStatistics> barriers;
};
struct Run {
  std::vector<Step> steps;
  double log_evidence = 0;  // of statistics() after the first step that follows the warm-up
  std::string signature;
};
using Options = std::vector<std::pair<std::string, std::string>>;  // "number-of-particles" -> "2",
                                                                   // ":multinomial"
inline constexpr std::size_t kAllSteps = ~std::size_t{0};          // until the engine is done
Run run_engine(Program& program, const std::string& engine, const Options& options,
               std::size_t steps, chancel::Stream::Source* source,
               chancel::Mistake mistake = chancel::Mistake::None, chancel::StreamName name = {1},
               std::uint64_t warmup = 0);

Run run_engine(const chancel::RunSetup& setup, const std::string& engine, const Options& options,
               std::size_t steps);

std::string state_text(const chancel::Predicts* newest);
// An engine's option: a number, true, false, a word after a colon or a list in brackets.
chancel::Value option_value(const std::string& text);

}  // namespace exact
