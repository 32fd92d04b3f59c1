// SPDX-License-Identifier: Apache-2.0
#include "tempering/tempered_lane.hpp"

#include "record/recorder.hpp"

namespace chancel {

namespace {

// Streams of a chain beside those of its single-site steps (StreamName::child of kNodeStream).
enum LaneStream : std::uint64_t { kReplays, kMoves, kOutputs, kPilots, kNoiseMoves, kNoises };

SingleSiteSettings step_settings(bool held_only) {
  SingleSiteSettings settings;
  settings.walk_share = 0.5;
  settings.counts_walks = true;
  settings.held_only = held_only;
  return settings;
}

std::vector<DrawnValue> draws_of(const Trace& trace) {
  std::vector<DrawnValue> out;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const Choice& c = trace.choice(i);
    out.push_back({c.site, c.id, c.value});
  }
  return out;
}

}  // namespace

TemperedLane::TemperedLane(const RunSetup& setup, std::size_t memory, unsigned number,
                           MoveKind kind, std::vector<TemperedState>& population)
    : workers_(setup, nullptr, memory),
      all_steps_(workers_, 0, StreamName{}, step_settings(false)),
      number_(number) {
  if (kind != MoveKind::SingleSite) mover_ = std::make_unique<ContinuousMover>(workers_, kind);
  workers_.add_roots([this, &population](Evacuator& e) {
    for (TemperedState& s : population)
      if (s.lane == number_) s.visit(e);
  });
}

// The run begins with draws from the prior, and runs executions again.
bool TemperedLane::takes_draws() {
  Trace& trace = all_steps_.trace();
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
  Trace& trace = all_steps_.trace();
  trace.machine().stream.reset(name, slot, 0);
  bool possible;
  if (!trace.draw_prior(&possible)) return fail(all_steps_);
  if (possible && (!takes_draws() || !keep_trace(all_steps_, false, out))) return false;
  workers_.collect_if_due();
  return true;
}

SingleSiteChain& TemperedLane::steps_for(const TemperedTuning& tuning) {
  if (!tuning.held_only) return all_steps_;
  if (!held_steps_)
    held_steps_ = std::make_unique<SingleSiteChain>(workers_, 0, StreamName{}, step_settings(true));
  return *held_steps_;
}

bool TemperedLane::replay(SingleSiteChain& steps, const std::vector<DrawnValue>& draws,
                          StreamName name, std::uint32_t round) {
  std::vector<Value> values;
  for (const DrawnValue& d : draws) values.push_back(d.value);
  Trace& trace = steps.trace();
  trace.machine().stream.reset(name.child(kNodeStream, kReplays), round, 0);
  return trace.replay(values) || fail(steps);
}

bool TemperedLane::locate(StreamName name, TemperedState* state) {
  if (!replay(all_steps_, state->draws, name, 0)) return false;
  mover_->begin(draws_of(all_steps_.trace()), 1);
  note_place(state);
  workers_.collect_if_due();
  return true;
}

bool TemperedLane::find_step_size(const TemperedState& start, StreamName name, double temperature,
                                  MoveTuning* tuning) {
  if (!replay(all_steps_, start.draws, name, 0)) return false;
  Stream stream = workers_.stream(name.child(kNodeStream, kPilots), 0, 0);
  if (mover_->begin(draws_of(all_steps_.trace()), temperature))
    tuning->step_size = mover_->find_step_size(*tuning, start.fold, stream);
  return true;
}

void TemperedLane::note_place(TemperedState* out) {
  out->recorded = mover_ && mover_->recorded();
  if (!out->recorded) return;
  out->q = mover_->position();
  out->signature = mover_->signature();
  out->held_draws = mover_->density().held_draws();
}

bool TemperedLane::keep_trace(SingleSiteChain& steps, bool outputs, TemperedState* out) {
  Trace& trace = steps.trace();
  out->draws = draws_of(trace);
  out->draw_count = out->draws.size();
  out->log_likelihood = trace.log_likelihood();
  if (!outputs) return true;
  out->predicts = trace.predicts();
  out->result = trace.result();
  out->applications = trace.applications();
  if (workers_.setup().log_joint && !trace.log_joint(&out->log_joint)) return fail(steps);
  return !workers_.setup().pointwise || trace.observes(&out->observes) || fail(steps);
}

bool TemperedLane::keep_recorded(StreamName name, std::uint32_t round, bool outputs,
                                 TemperedState* out) {
  RecordedDensity& density = mover_->density();
  RecordedDensity::Output output;
  Stream stream = workers_.stream(name.child(kNodeStream, kOutputs), round, 0);
  if (!density.values(mover_->position(), &out->draws) ||
      (outputs && !density.output(mover_->position(), stream, &output))) {
    failure_ = density.failure()
                   ? *density.failure()
                   : Diagnostic{Code::R014,
                                Severity::Error,
                                {},
                                "anneal: a state that was accepted cannot be run again",
                                "use :move :single-site",
                                {}};
    return false;
  }
  out->draw_count = out->draws.size();
  out->log_likelihood = density.log_likelihood_at(mover_->position());
  if (!outputs) return true;
  out->predicts = output.predicts;
  out->result = output.result;
  out->applications = output.applications;
  out->log_joint = output.log_joint;
  out->observes = std::move(output.observes);
  return true;
}

// Takes up the execution of the trace.
void TemperedLane::record(SingleSiteChain& steps, const TemperedTuning& tuning, std::size_t fold) {
  if (mover_->begin(draws_of(steps.trace()), tuning.temperature))
    mover_->prepare(tuning.recorded, fold);
}

bool TemperedLane::move_by_noise(SingleSiteChain& steps, StreamName name, std::uint32_t round,
                                 const TemperedTuning& tuning, std::size_t fold,
                                 TemperedFigures* figures) {
  for (std::uint32_t i = 0; i < tuning.noise_moves; ++i) {
    Stream stream = workers_.stream(name.child(kNodeStream, kNoiseMoves), round, i);
    if (!move_noise(steps.trace(), tuning.temperature, tuning.noise, fold, stream, &figures->noise))
      return fail(steps);
    workers_.collect_if_due();
  }
  return true;
}

// A round.
bool TemperedLane::move(SingleSiteChain& steps, StreamName name, std::uint32_t round,
                        const TemperedTuning& tuning, std::size_t fold, TemperedFigures* figures) {
  const bool both = mover_ && mover_->moves();
  for (std::uint32_t i = 0; both && i < tuning.moves; ++i) {
    Stream stream = workers_.stream(name.child(kNodeStream, kMoves), round, i);
    mover_->move(stream, &figures->recorded);
    workers_.collect_if_due();
  }
  if (tuning.steps == 0) return true;
  if (both) {
    std::vector<DrawnValue> draws;
    if (!mover_->density().values(mover_->position(), &draws)) {
      failure_ = mover_->density().failure();
      return false;
    }
    if (!replay(steps, draws, name, round)) return false;
  }
  if (!move_by_noise(steps, name, round, tuning, fold, figures)) return false;
  const std::uint64_t accepted = steps.accepted();
  for (std::size_t i = 0; i < tuning.steps; ++i) {
    if (!steps.step()) return fail(steps);
    workers_.collect_if_due();
  }
  if (mover_ && (steps.accepted() > accepted || tuning.noise_moves > 0))
    record(steps, tuning, fold);
  return true;
}

bool TemperedLane::run(const TemperedState& start, StreamName name, const TemperedTuning& tuning,
                       std::span<TemperedState> out, TemperedFigures* figures) {
  SingleSiteChain& steps = steps_for(tuning);
  steps.trace().begin_anew();
  steps.set_streams(name);
  steps.set_walks(tuning.walks);
  steps.temper(tuning.temperature);
  if (!replay(steps, start.draws, name, 0)) return false;
  const std::uint64_t proposals = steps.proposals(), accepted = steps.accepted(),
                      applications = steps.applications();
  const std::uint64_t elsewhere = mover_ ? mover_->density().elsewhere() : 0;
  if (mover_) record(steps, tuning, start.fold);
  const bool outputs = tuning.temperature == 1;
  for (std::uint32_t i = 0; i < out.size(); ++i) {
    if (i > 0 && !move(steps, name, i, tuning, start.fold, figures)) return false;
    const bool from_trace = i == 0 || tuning.steps > 0 || !mover_ || !mover_->recorded();
    if (!(from_trace ? keep_trace(steps, outputs, &out[i])
                     : keep_recorded(name, i, outputs, &out[i])))
      return false;
    note_place(&out[i]);
    out[i].fold = start.fold;
    if (tuning.noise_moves > 0) {
      Stream stream = workers_.stream(name.child(kNodeStream, kNoises), i, 0);
      if (!find_noise(steps.trace(), stream, &out[i].noise)) return fail(steps);
    }
    figures->elsewhere = figures->elsewhere || (mover_ && !mover_->recorded());
    if ((failure_ = stop_requested(workers_.setup().run))) return false;
  }
  figures->proposals = steps.proposals() - proposals;
  figures->accepted = steps.accepted() - accepted;
  figures->applications = steps.applications() - applications;
  figures->walks = steps.walks();
  if (mover_ && mover_->density().elsewhere() > elsewhere) figures->elsewhere = true;
  return true;
}

}  // namespace chancel
