// SPDX-License-Identifier: Apache-2.0
#include "engines/recorded_engine.hpp"

#include "fmt/format.h"

namespace chancel {

namespace {
constexpr int kStarts = 1000;  // points at which a search may begin
// Of them: what fails there is no mistake yet, since a first point may be far out.
constexpr int kFailures = 100;
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

Stream RecordedEngine::stream_of(StreamName name, std::uint64_t number) const {
  return workers_.stream(name, static_cast<std::uint32_t>(number >> 32),
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
  int failures = 0;
  for (int i = 0; i < kStarts; ++i) {
    workers_.collect_if_due();  // recordings that were of no use
    // Near the origin, or where the prior is.
    const double reach = starts_ % 2 == 0 ? kReach : 0;
    Stream stream = stream_of(kStartSlot - starts_++);
    const RecordedDensity::Begin found = density_.begin(stream, reach);
    if (found == RecordedDensity::Begin::Impossible) continue;
    if (found == RecordedDensity::Begin::Failed) {
      if (++failures == kFailures || is_limit(density_.failure()->code))
        return fail(*density_.failure());
      continue;
    }
    if (!takes_draws()) return false;
    if (takes(stream)) return true;
  }
  if (no_start_) return fail(*no_start_);
  if (density_.refusal()) return fail(*density_.refusal());
  return fail_all_zero("no point that was tried has a density, so there is none to start from",
                       "pgibbs and lmh start from executions of the prior");
}

bool RecordedEngine::takes_draws() {
  if (!draws_something()) return false;
  if (const auto held = density_.held_site())
    return refuse("this draw is not continuous",
                  "nuts moves such draws by single-site steps; lmh, pgibbs and enumerate take any",
                  setup_.image->program->site(*held).span);
  return density_.dimension() > 0 ||
         refuse("no observe depends on a draw",
                "importance gives draws from the prior, as fast as they can be made");
}

bool RecordedEngine::draws_something() {
  return density_.draws() > 0 ||
         refuse("the program draws nothing",
                "its result is the same in every execution: chancel run shows it");
}

bool RecordedEngine::fill(const Eigen::VectorXd& q, std::uint64_t number, Stream& stream,
                          EngineDraw* draw) {
  RecordedDensity::Output output;
  if (!density_.output(q, stream, &output))
    return density_.failure() ? fail(*density_.failure())
                              : refuse("the program cannot be run at a draw", "use lmh or pgibbs");
  draw->predicts = output.predicts;
  draw->result = output.result;
  draw->log_joint = output.log_joint;
  draw->observes = std::move(output.observes);
  draw->applications = output.applications;
  draw->sweep = number;
  draw->chain = setup_.chain;
  return true;
}

bool RecordedEngine::give(const Eigen::VectorXd& q, std::uint64_t number, Stream& stream,
                          Sink& sink) {
  EngineDraw draw;
  if (!fill(q, number, stream, &draw)) return false;
  sink.draw(draw);
  statistics_.applications += draw.applications;
  look_for_observes(number + 1, density_.observed(), sink);
  return true;
}

bool RecordedEngine::climb(Mode* out) {
  return begin([&](Stream&) {
           *out = find_mode(density_, density_.coordinates());
           statistics_.simulations += out->evaluations;
           return out->end != ModeEnd::BadStart;
         }) &&
         structure_is_fixed();
}

bool RecordedEngine::structure_is_fixed() {
  return density_.elsewhere() == 0 || refuse("the program makes other draws at other values",
                                             "nuts, lmh and pgibbs move between such structures");
}

}  // namespace chancel
