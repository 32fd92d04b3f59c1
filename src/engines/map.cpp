// SPDX-License-Identifier: Apache-2.0
// Engine map: the point of highest posterior density, by L-BFGS from several points. The density is
// that of the draws themselves, as in Stan's optimize: the transforms to the real line serve the search
// and leave the mode where it is.
#include "engines/recorded_engine.hpp"
#include "gradient/normal_approximation.hpp"

namespace chancel {

namespace {

class MapEngine final : public RecordedEngine {
 public:
  MapEngine(const RunSetup& setup, std::uint64_t starts)
      : RecordedEngine(setup, "map"), starts_(starts) {
    density_.leave_out_jacobians();
  }

 protected:
  bool advance(Sink& sink) override {
    if (given_) return false;
    given_ = true;
    for (std::uint64_t i = 0; i < starts_; ++i)
      if (!climb_once()) return false;
    if (best_.end == ModeEnd::Stuck) {  // by rounding, or at an edge: Newton steps tell
      Laplace refined(density_);
      if (refined.fit(best_.q) == LaplaceEnd::Fitted) {
        best_ = refined.mode();
        best_.end = ModeEnd::Converged;
      }
    }
    if (best_.end != ModeEnd::Converged)
      return refuse("the density rises without end, so it has no highest point",
                    "a scale that may become zero often does that: give it a prior that is zero "
                    "there, or use nuts or laplace, which take the volume around a point into "
                    "account");
    statistics_.peak_memory = workers_.heap().peak();
    Stream stream = stream_of(0);
    return give(best_.q, 0, stream, sink);
  }

 private:
  // From a new point.
  bool climb_once() {
    Mode mode;
    if (!climb(&mode)) return false;
    // A place where the density has no bound beats all others: then there is no mode.
    const bool first = best_.end == ModeEnd::BadStart;
    if (first || mode.log_density > best_.log_density) best_ = std::move(mode);
    return true;
  }

  std::uint64_t starts_;
  bool given_ = false;
  Mode best_;
};

}  // namespace

EngineDef map_engine() {
  return {"map",
          "the point of highest posterior density, by gradients",
          {integer_option("starts", 4, 1, "points from which the search begins; the highest counts",
                          1000)},
          [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
            return std::make_unique<MapEngine>(setup, read.integer("starts"));
          },
          EngineDef::Gives::List};
}

}  // namespace chancel
