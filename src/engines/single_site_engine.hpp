// SPDX-License-Identifier: Apache-2.0
// An engine around one single-site chain: every step of the chain after its warm-up is a draw.
#pragma once
#include "infer/guarded_engine.hpp"
#include "infer/options.hpp"
#include "single_site/single_site.hpp"

namespace chancel {

// :recording, an option of all of them, and the settings that it asks for.
OptionDef recording_option();
SingleSiteSettings settings_of(const RunSetup& setup, const EngineOptions& read);

class SingleSiteEngine final : public GuardedEngine {
 public:
  SingleSiteEngine(const RunSetup& setup, const SingleSiteSettings& settings);

 protected:
  bool advance(Sink& sink) override;
  bool save_state(ByteWriter& to, const ByteNames& names) const override;
  bool restore_state(ByteReader& from, const ByteNames& names) override;

 private:
  WorkerPool workers_;
  SingleSiteChain chain_;
  StructureReader structure_;
  bool started_ = false;
  std::uint64_t number_ = 0;
};

// Chains that run at the same time, each with a heap of its own; their draws come out in turn.
class ParallelChainsEngine final : public GuardedEngine {
 public:
  ParallelChainsEngine(const RunSetup& setup, const SingleSiteSettings& settings, unsigned chains);

 protected:
  bool advance(Sink& sink) override;
  bool save_state(ByteWriter& to, const ByteNames& names) const override;
  bool restore_state(ByteReader& from, const ByteNames& names) override;

 private:
  struct State {  // a draw that waits to be handed out
    Predicts* predicts;
    Value result;
    std::uint64_t applications;
    double log_joint;
    std::vector<ObserveScore> observes;
  };
  struct alignas(64) ChainRunner {
    WorkerPool workers;
    SingleSiteChain chain;
    std::vector<State> states;
    bool ok = true;
    bool found_none = false;
    std::optional<Diagnostic> failure;
    ChainRunner(const RunSetup& setup, std::size_t limit, StreamName name,
                const SingleSiteSettings& settings)
        : workers(setup, nullptr, limit), chain(workers, 0, name, settings) {
      workers.add_roots([this](Evacuator& e) {
        for (State& s : states) {
          e.visit(s.predicts);
          e.visit(s.result);
        }
      });
    }
  };
  void run(ChainRunner& runner, std::size_t steps);

  std::vector<std::unique_ptr<ChainRunner>> runners_;
  std::size_t batch_ = 0;    // steps of each chain in the last batch
  std::uint64_t begun_ = 0;  // steps of each chain, with those of the warm-up
};

}  // namespace chancel
