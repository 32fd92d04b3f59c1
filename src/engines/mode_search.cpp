// SPDX-License-Identifier: Apache-2.0
// See mode_search.hpp.
#include "engines/mode_search.hpp"

namespace chancel {

namespace {
// Executions that may all be impossible before the search gives up.
constexpr std::uint64_t kMostImpossible = 100000;
}  // namespace

OptionDef candidates_option() {
  return flag_option("predict-candidates",
                     "give every execution that is tried, not the best one so far");
}

ModeSearch::ModeSearch(const RunSetup& setup, bool candidates)
    : GuardedEngine(setup),
      workers_(setup, nullptr, setup.max_memory),
      runs_(workers_),
      candidates_(candidates),
      best_log_joint_(kLogZero) {
  workers_.add_roots([this](Evacuator& e) { visit(best_, e); });
}

double ModeSearch::log_joint(const GuidedRun& run) {
  return run.log_likelihood == kLogZero ? kLogZero : run.log_prior + run.log_likelihood;
}

void ModeSearch::visit(GuidedRun& run, Evacuator& e) {
  for (GuidedDraw& d : run.draws) {
    e.visit(d.dist);
    e.visit(d.value);
  }
  run.end.visit(e);
  e.visit(run.result);
}

Stream& ModeSearch::next_stream() {
  Stream& stream = workers_.machine().stream;
  stream.reset(setup_.name.child(kStepStream, number_ >> 32), static_cast<std::uint32_t>(number_),
               0);
  return stream;
}

bool ModeSearch::advance(Sink& sink) {
  if (!said_) {
    said_ = true;
    sink.warning({Code::I010,
                  Severity::Warning,
                  {},
                  "these are states of a search for the most probable execution, not draws of the "
                  "posterior: their spread means nothing",
                  "take the one with the largest log weight; use another engine for the posterior",
                  {}});
  }
  GuidedRun run;
  if (!try_one(&run)) return fail(*runs_.failure());
  ++number_;
  ++statistics_.simulations;
  statistics_.applications += run.end.applications;
  const double joint = log_joint(run);
  learn(run, joint);
  statistics_.zero_weight += joint == kLogZero;
  if (joint > best_log_joint_) {
    best_log_joint_ = joint;
    best_ = run;
  }
  if (candidates_ ? joint != kLogZero : best_log_joint_ != kLogZero)
    give(candidates_ ? run : best_, candidates_ ? joint : best_log_joint_, sink);
  else if (statistics_.zero_weight == statistics_.simulations && number_ >= kMostImpossible)
    return fail_all_zero("every execution contradicts the observations");
  statistics_.peak_memory = workers_.heap().peak();
  workers_.collect_if_due();
  return true;
}

void ModeSearch::give(const GuidedRun& run, double log_joint, Sink& sink) {
  EngineDraw draw;
  draw.predicts = run.end.predicts;
  draw.result = run.result;
  draw.log_weight = log_joint;
  draw.log_joint = log_joint;
  draw.sweep = number_ - 1;
  draw.chain = setup_.chain;
  draw.applications = run.end.applications;
  sink.draw(draw);
}

}  // namespace chancel
