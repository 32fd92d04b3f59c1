// SPDX-License-Identifier: Apache-2.0
#include "infer/recorded_engine.hpp"

#include "fmt/format.h"

namespace chancel {

namespace {
constexpr int kStarts = 100;  // points at which a search may begin
constexpr double kReach =
    2;  // their coordinates are within it, if they are not drawn from the prior
constexpr std::uint64_t kStartSlot = ~std::uint64_t{0};
}  // namespace

RecordedEngine::RecordedEngine(const RunSetup& setup, const char* name)
    : GuardedEngine(setup),
      name_(name),
      workers_(setup, nullptr, setup.max_memory),
      density_(workers_, 0),
      stream_name_(setup.name.child(kStepStream, 0)) {
  workers_.refuse_hidden_draws();
}

Stream RecordedEngine::stream_of(std::uint64_t number) const {
  return workers_.stream(stream_name_, static_cast<std::uint32_t>(number >> 32),
                         static_cast<std::uint32_t>(number));
}

bool RecordedEngine::refuse(std::string what, std::string hint, Span where) {
  return fail({Code::I006,
               Severity::Error,
               where,
               fmt::format("{}: {}", name_, what),
               std::move(hint),
               {}});
}

bool RecordedEngine::begin(const std::function<bool(Stream&)>& takes) {
  for (int i = 0; i < kStarts; ++i) {
    // Near the origin, or where the prior is.
    const double reach = starts_ % 2 == 0 ? kReach : 0;
    Stream stream = stream_of(kStartSlot - starts_++);
    const RecordedDensity::Begin found = density_.begin(stream, reach);
    if (found == RecordedDensity::Begin::Impossible) continue;
    if (found == RecordedDensity::Begin::Failed) {
      // A first point may be far out: what fails there is no mistake yet.
      if (i + 1 == kStarts || is_limit(density_.failure()->code)) return fail(*density_.failure());
      continue;
    }
    if (density_.draws() == 0)
      return refuse("the program draws nothing",
                    "its result is the same in every execution: chancel run shows it");
    if (const auto held = density_.held_site())
      return refuse(
          "this draw is not continuous",
          "nuts moves such draws by single-site steps; lmh, pgibbs and enumerate take any",
          setup_.image->program->site(*held).span);
    if (density_.dimension() == 0)
      return refuse("no observe depends on a draw",
                    "importance gives draws from the prior, as fast as they can be made");
    if (takes(stream)) return true;
  }
  if (density_.refusal()) return fail(*density_.refusal());
  return fail_all_zero("no point that was tried has a density, so there is none to start from",
                       "pgibbs and lmh start from executions of the prior");
}

bool RecordedEngine::give(const Eigen::VectorXd& q, std::uint64_t number, Stream& stream,
                          Sink& sink) {
  RecordedDensity::Output output;
  if (!density_.output(q, stream, &output))
    return density_.failure() ? fail(*density_.failure())
                              : refuse("the program cannot be run at a draw", "use lmh or pgibbs");
  EngineDraw draw;
  draw.predicts = output.predicts;
  draw.result = output.result;
  draw.log_joint = output.log_joint;
  draw.observes = std::move(output.observes);
  draw.applications = output.applications;
  draw.sweep = number;
  draw.chain = setup_.chain;
  sink.draw(draw);
  statistics_.applications += output.applications;
  look_for_observes(number + 1, density_.observed(), sink);
  return true;
}

bool RecordedEngine::structure_is_fixed() {
  return density_.elsewhere() == 0 || refuse("the program makes other draws at other values",
                                             "nuts, lmh and pgibbs move between such structures");
}

}  // namespace chancel
