// SPDX-License-Identifier: Apache-2.0
// Engine laplace: independent draws from the normal approximation of the posterior at its mode, on the
// real line (normal_approximation.hpp). Importance ratios of a thousand draws say, before the first
// one is handed out, whether the approximation can be trusted (Pareto k-hat); their mean and that of
// the draws estimates the evidence.
#include <cmath>

#include "engines/recorded_engine.hpp"
#include "fmt/format.h"
#include "gradient/normal_approximation.hpp"
#include "math/pareto_smoothing.hpp"

namespace chancel {

namespace {

constexpr std::uint64_t kProbes = 1000;  // draws that k-hat is computed from
constexpr std::uint64_t kProbeSlot = std::uint64_t{1} << 62;

class LaplaceEngine final : public RecordedEngine {
 public:
  LaplaceEngine(const RunSetup& setup, std::uint64_t starts)
      : RecordedEngine(setup, "laplace"), starts_(starts) {
    statistics_.independent = true;
  }

 protected:
  bool advance(Sink& sink) override {
    if (!fitted_ && !fit(sink)) return false;
    Eigen::VectorXd q;
    for (std::uint64_t i = 0; i < kPatience; ++i) {
      Stream stream = stream_of(number_++);
      const double log_ratio = draw(stream, q);
      if (!structure_is_fixed()) return false;
      workers_.collect_if_due();
      statistics_.peak_memory = workers_.heap().peak();
      if (log_ratio == kLogZero) {
        ++statistics_.zero_weight;
        continue;
      }
      show_evidence();
      return give(q, kept_++, stream, sink);
    }
    return refuse("the density is zero at all draws of the approximation",
                  "use nuts: the posterior is nothing like a normal distribution");
  }

 private:
  static constexpr std::uint64_t kPatience = 10000;  // draws in a row at which the density is zero

  bool fit(Sink& sink) {
    double highest = kLogZero;
    Eigen::VectorXd from;
    for (std::uint64_t i = 0; i < starts_; ++i) {
      Mode mode;
      if (!climb(&mode)) return false;
      if (from.size() > 0 && !(mode.log_density > highest)) continue;
      highest = mode.log_density;
      from = mode.q;
    }
    const LaplaceEnd end = normal_.fit(from);
    if (!structure_is_fixed()) return false;
    if (end != LaplaceEnd::Fitted) return no_fit(end);
    fitted_ = true;
    return judge(sink);
  }
  bool no_fit(LaplaceEnd end) {
    static constexpr const char* kHint = "use nuts, which needs no mode";
    switch (end) {
      case LaplaceEnd::Flat:
        return refuse("the density does not fall in all directions from its mode", kHint,
                      density_.place_of(normal_.flat_coordinate()));
      case LaplaceEnd::Edge:
        return refuse("the mode is at the edge of the support", kHint);
      default:
        return refuse(normal_.mode().end == ModeEnd::Rising
                          ? "the density rises without end, so it has no mode"
                          : "the search came to no mode: the density is not smooth there",
                      kHint);
    }
  }
  bool judge(Sink& sink) {
    std::vector<double> log_ratios;
    Eigen::VectorXd q;
    for (std::uint64_t i = 0; i < kProbes; ++i) {
      Stream stream = stream_of(kProbeSlot + i);
      log_ratios.push_back(draw(stream, q));
    }
    if (!structure_is_fixed()) return false;
    const double shape = smooth_pareto_tail(log_ratios);
    if (shape > largest_usable_shape(kProbes))
      sink.warning({Code::I007,
                    Severity::Warning,
                    {},
                    fmt::format("laplace: the posterior is not like a normal distribution at its "
                                "mode (Pareto k-hat {:.2f}): do not trust these draws",
                                shape),
                    "use nuts",
                    {}});
    return true;
  }
  double draw(Stream& stream, Eigen::VectorXd& q) {
    const double log_ratio = normal_.draw(stream, q);
    ++statistics_.simulations;
    statistics_.evidence_parts.add(log_ratio);
    return log_ratio;
  }
  void show_evidence() {
    statistics_.has_log_evidence = true;
    statistics_.log_evidence = statistics_.evidence_parts.log_mean();
    statistics_.log_evidence_se = statistics_.evidence_parts.log_mean_se();
  }

  std::uint64_t starts_;
  Laplace normal_{density_};
  bool fitted_ = false;
  std::uint64_t number_ = 0, kept_ = 0;
};

}  // namespace

EngineDef laplace_engine() {
  return {"laplace",
          "independent draws from the normal approximation at the mode",
          {integer_option("starts", 4, 1,
                          "points from which the search for the mode begins; the highest counts",
                          1000)},
          [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
            return std::make_unique<LaplaceEngine>(setup, read.integer("starts"));
          }};
}

}  // namespace chancel
