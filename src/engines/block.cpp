// SPDX-License-Identifier: Apache-2.0
// Engine block: an adaptive random walk of all continuous draws together (adaptive_walk.hpp), on the
// real line. It needs values of the density and no gradient; warm-up learns the covariance of its
// steps, which stand still afterwards.
#include "engines/recorded_engine.hpp"
#include "gradient/adaptive_walk.hpp"

namespace chancel {

namespace {

class BlockEngine final : public RecordedEngine {
 public:
  explicit BlockEngine(const RunSetup& setup) : RecordedEngine(setup, "block") {}

 protected:
  bool advance(Sink& sink) override {
    if (!walk_ && !start()) return false;
    Stream stream = stream_of(number_++);
    const bool accepted = walk_->move(stream).accepted;
    ++statistics_.simulations;
    if (!structure_is_fixed()) return false;
    workers_.collect_if_due();
    statistics_.peak_memory = workers_.heap().peak();
    if (statistics_.warmup < setup_.warmup) {
      ++statistics_.warmup;
      return true;
    }
    ++statistics_.proposals;
    if (accepted) ++statistics_.accepted;
    return give(walk_->position(), kept_++, stream, sink);
  }

 private:
  bool start() {
    return begin([&](Stream&) {
      walk_ = std::make_unique<AdaptiveWalk>(density_, Eigen::VectorXd::Ones(density_.dimension()),
                                             setup_.warmup);
      if (walk_->start(density_.coordinates())) return true;
      walk_.reset();
      return false;
    });
  }

  std::unique_ptr<AdaptiveWalk> walk_;
  std::uint64_t number_ = 0, kept_ = 0;
};

}  // namespace

EngineDef block_engine() {
  return {"block",
          "adaptive random walk of all continuous draws together, without gradients",
          {},
          [](const RunSetup& setup, const EngineOptions&) -> std::unique_ptr<Engine> {
            return std::make_unique<BlockEngine>(setup);
          },
          EngineDef::Gives::Draws,
          true};
}

}  // namespace chancel
