// SPDX-License-Identifier: Apache-2.0
// See recording_trial.hpp.
#include "gradient/recording_trial.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "gradient/recorded_density.hpp"

namespace chancel {

namespace {

// Points to begin at. Nuts tries many times as many, in each of its chains: where one of these has a
// density, every chain will find one.
constexpr std::uint32_t kTries = 40;
constexpr unsigned kOutputs = 4;  // of each recording: predictive draws may lead anywhere
constexpr double kReach = 2;
constexpr std::uint64_t kTryStream = 0x203;

class Trial {
 public:
  explicit Trial(const RunSetup& setup)
      : setup_(setup), workers_(setup, nullptr, setup.max_memory), density_(workers_, 0) {
    workers_.refuse_hidden_draws();
  }

  RecordingTrial take(unsigned wanted) {
    const auto full = within_memory([&] {
      for (std::uint32_t i = 0; i < kTries && looked_at_ < wanted && against().empty(); ++i)
        if (!try_point(i)) return;
    });
    if (full) note(*full);
    if (against().empty() && looked_at_ == 0 && !failed_) {
      found_.few_points = !flat_;
      against() = flat_ ? "no slope was found at the points that were tried"
                        : "few points have a positive density";
    }
    return found_;
  }

 private:
  std::string& against() { return found_.against_nuts; }

  // False: a limit is reached.
  bool try_point(std::uint32_t number) {
    workers_.collect_if_due();
    Stream stream(setup_.name.child(kTryStream, 0), number, 0);
    const auto begun = density_.begin(stream, number % 2 == 0 ? kReach : 0);
    if (begun == RecordedDensity::Begin::Failed) return note(*density_.failure());
    if (begun == RecordedDensity::Begin::Impossible) return true;
    if (std::string_view by = density_.pins(); !by.empty()) {
      if (by.starts_with('%')) by.remove_prefix(1);  // a native of the prelude
      if (by == "control") by = "the course of the program";
      against() = fmt::format("{} needs the values of continuous draws", by);
      return true;
    }
    if (density_.may_jump()) {
      against() = "comparisons of continuous draws decide about observations";
      return true;
    }
    if (const auto site = density_.unscored_site()) {
      against() = cannot_record(setup_.image->program->site(*site).span);
      return true;
    }
    Eigen::VectorXd slope(density_.dimension());
    if (!std::isfinite(density_.at(density_.coordinates(), slope))) return true;
    if (!slope.allFinite()) {
      flat_ = true;
      return true;
    }
    for (unsigned i = 0; i < kOutputs; ++i) {
      RecordedDensity::Output output;
      if (!density_.output(density_.coordinates(), stream, &output) && density_.failure())
        return note(*density_.failure());
    }
    found_.some_held = found_.some_held || density_.held_draws() > 0;
    ++looked_at_;
    return true;
  }

  bool note(const Diagnostic& failure) {
    if (failure.code == Code::R014)
      against() = cannot_record(failure.span);
    else if (failure.code == Code::L001)
      against() = "its recording does not fit into the memory limit";
    else
      failed_ = true;
    return !is_limit(failure.code);
  }

  std::string cannot_record(Span place) const {
    const auto& sources = setup_.image->program->sources;
    return place.known() ? fmt::format("nuts cannot record line {}",
                                       sources.position(place.file, place.begin).line)
                         : "nuts cannot record it";
  }

  const RunSetup& setup_;
  WorkerPool workers_;
  RecordedDensity density_;
  RecordingTrial found_;
  unsigned looked_at_ = 0;
  bool failed_ = false, flat_ = false;
};

}  // namespace

RecordingTrial try_recording(const RunSetup& setup, unsigned wanted) {
  return Trial(setup).take(wanted);
}

}  // namespace chancel
