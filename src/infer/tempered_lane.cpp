// SPDX-License-Identifier: Apache-2.0
#include "infer/tempered_lane.hpp"

#include "record/recorder.hpp"

namespace chancel {

namespace {

SingleSiteSettings single_site_settings() {
  SingleSiteSettings settings;
  settings.walk_share = 0.5;
  settings.counts_walks = true;
  return settings;
}

}  // namespace

TemperedLane::TemperedLane(const RunSetup& setup, std::size_t memory, unsigned number,
                           std::vector<TemperedState>& population)
    : workers_(setup, nullptr, memory),
      chain_(workers_, 0, StreamName{}, single_site_settings()),
      number_(number) {
  workers_.add_roots([this, &population](Evacuator& e) {
    for (TemperedState& s : population)
      if (s.lane == number_) s.visit(e);
  });
}

// The run begins with draws from the prior, and runs executions again.
bool TemperedLane::takes_draws() {
  Trace& trace = chain_.trace();
  const Program& program = *workers_.setup().image->program;
  if (const std::uint32_t site = trace.machine().estimated_site; site > 0) {
    failure_ = estimated_score(program.site(site - 1).span);
    return false;
  }
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const Value& dist = trace.choice(i).dist;
    if (!dist.is(Tag::Dist) || !dist.as<Dist>()->type->improper) continue;
    failure_ = Diagnostic{Code::I006,
                          Severity::Error,
                          program.site(trace.choice(i).site).span,
                          "anneal: it starts from draws of the prior, and this one is improper",
                          "use a proper prior, or nuts",
                          {}};
    return false;
  }
  return true;
}

bool TemperedLane::draw_prior(StreamName name, std::uint32_t slot, TemperedState* out) {
  Trace& trace = chain_.trace();
  trace.machine().stream.reset(name, slot, 0);
  bool possible;
  if (!trace.draw_prior(&possible)) return fail();
  if (!possible) return true;
  if (!takes_draws() || !keep(false, out)) return false;
  workers_.collect_if_due();
  return true;
}

bool TemperedLane::keep(bool outputs, TemperedState* out) {
  Trace& trace = chain_.trace();
  out->draws.clear();
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const Choice& c = trace.choice(i);
    out->draws.push_back({c.site, c.id, c.value});
  }
  out->log_likelihood = trace.log_likelihood();
  if (!outputs) return true;
  out->predicts = trace.predicts();
  out->result = trace.result();
  out->applications = trace.applications();
  if (workers_.setup().log_joint && !trace.log_joint(&out->log_joint)) return fail();
  return !workers_.setup().pointwise || trace.observes(&out->observes) || fail();
}

bool TemperedLane::run(const TemperedState& start, StreamName name, const TemperedTuning& tuning,
                       std::span<TemperedState> out, TemperedFigures* figures) {
  Trace& trace = chain_.trace();
  trace.begin_anew();
  trace.machine().stream.reset(name, kSelectionSlot, 0);
  std::vector<Value> values;
  for (const DrawnValue& d : start.draws) values.push_back(d.value);
  if (!trace.replay(values)) return fail();
  chain_.set_streams(name);
  chain_.set_walks(tuning.walks);
  chain_.temper(tuning.temperature);
  const bool outputs = tuning.temperature == 1;
  const std::uint64_t proposals = chain_.proposals(), accepted = chain_.accepted(),
                      applications = chain_.applications();
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::size_t step = 0; i > 0 && step < tuning.steps; ++step) {
      if (!chain_.step()) return fail();
      workers_.collect_if_due();
    }
    if (!keep(outputs, &out[i])) return false;
    if ((failure_ = stop_requested(workers_.setup().run))) return false;
  }
  *figures = {chain_.proposals() - proposals, chain_.accepted() - accepted,
              chain_.applications() - applications, chain_.walks()};
  return true;
}

}  // namespace chancel
