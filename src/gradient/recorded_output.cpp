// SPDX-License-Identifier: Apache-2.0
// What a recorded program gives at a point: the values of its draws, its predicts and its result.
#include "gradient/recorded_path.hpp"
#include "infer/walker.hpp"
#include "value/collections.hpp"

namespace chancel {

bool RecordedDensity::values(const Eigen::VectorXd& q, std::vector<DrawnValue>* out) {
  Path* path = path_at(q);
  if (!path) return false;
  path->batches->forward_outputs();
  NativeContext cx(workers_.machine(worker_).arena());
  cx.in_query = true;
  out->clear();
  for (std::size_t i = 0; i < path->recorded.draws_observed; ++i) {
    const RecordedDraw& d = path->recorded.draws[i];
    out->push_back({d.site, d.id, concrete(cx, d.value)});
  }
  return cx.ok();
}

bool RecordedDensity::execute(const Path& path, Stream& stream, Output* out) {
  Executor& machine = workers_.machine(worker_);
  NativeContext cx(machine.arena());
  cx.in_query = true;
  machine.wants = {true, false};
  machine.log_weight = prefix_->log_weight;
  Walker walker(machine);
  walker.begin(*prefix_);
  if (walker.run(leave, leave) == Stop::Failed) return false;
  const Stream before = machine.stream;
  machine.stream = stream;
  double before_predictive = NAN;
  std::uint32_t predictive_site = 0;
  std::size_t next = 0;
  const auto draw = [&](Walker& w, Value* value) {
    const std::size_t i = next++;
    if (i == path.recorded.draws_observed) {
      before_predictive = machine.log_weight;
      predictive_site = w.stop.site;
    }
    if (i >= path.recorded.draws_observed) return w.draw(value);
    *value = concrete(cx, path.recorded.draws[i].value);
    return true;
  };
  const Stop end = walker.run(draw, pass);
  stream = machine.stream;
  machine.stream = before;
  if (!std::isnan(before_predictive) &&
      (end == Stop::Impossible || machine.log_weight != before_predictive)) {
    failure_ = at_site(predictive_site,
                       {Code::R014, "an observe follows this draw in some executions only",
                        "write the draw in the text before the observe, or use lmh or rmh"});
    return false;
  }
  if (end != Stop::Result) {
    if (end != Stop::Impossible) failure_ = machine.failure();
    return false;
  }
  out->predicts = walker.at.predicts;
  out->result = walker.stop.value;
  out->applications = walker.at.applications;
  return true;
}

bool RecordedDensity::score_observes(const Path& path, std::vector<ObserveScore>* out) {
  Executor& machine = workers_.machine(worker_);
  NativeContext cx(machine.arena());
  cx.in_query = true;
  *out = prefix_->scores;
  machine.wants = {true, true};
  std::size_t next = 0;
  const auto draw = [&](Walker&, Value* value) {
    if (next == path.recorded.draws_observed) return false;  // nothing is observed after these
    *value = concrete(cx, path.recorded.draws[next++].value);
    return true;
  };
  const auto note_score = [&](Walker& w) {
    out->push_back({w.stop.site, w.stop.log_prob});
    return true;
  };
  Walker walker(machine);
  walker.begin(*prefix_);
  const Stop end = walker.run(draw, note_score);
  if (end == Stop::Failed) failure_ = machine.failure();
  return end == Stop::Result || end == Stop::Sample;
}

bool RecordedDensity::output(const Eigen::VectorXd& q, Stream& stream, Output* out) {
  Path* path = path_at(q);
  if (!path) return false;
  if (broken_) {
    failure_ = broken_;
    return false;
  }
  const Recorded& r = path->recorded;
  path->batches->forward_outputs();
  out->log_joint = log_likelihood(*path);
  out->log_joint += path->sums.prior;
  if (workers_.setup().pointwise && !score_observes(*path, &out->observes)) return false;
  if (r.draws.size() > r.draws_observed || !guards_hold(*path, r.guards_observed, r.guards.size()))
    return execute(*path, stream, out);
  Arena& arena = workers_.machine(worker_).arena();
  NativeContext cx(arena);
  cx.in_query = true;
  std::vector<const Predicts*> list;
  for (const Predicts* p = r.predicts; p; p = p->previous) list.push_back(p);
  out->predicts = nullptr;
  for (std::size_t i = list.size(); i-- > 0;) {
    auto* p = arena.make<Predicts>(Tag::Predicts);
    p->previous = out->predicts;
    p->label = list[i]->label;
    p->value = concrete(cx, list[i]->value);
    out->predicts = p;
  }
  out->result = concrete(cx, r.result);
  out->applications = r.applications;
  return cx.ok();
}

}  // namespace chancel
