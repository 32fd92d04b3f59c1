// SPDX-License-Identifier: Apache-2.0
// What a recorded program gives at a point: the values of its draws, its predicts and its result.
#include "gradient/recorded_density.hpp"
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
  Execution x;
  Checkpoint stop;
  machine.wants = {true, false};
  machine.log_weight = prefix_->log_weight;
  if (!prefix_->go_on(machine, x, stop)) return false;
  const Stream before = machine.stream;
  machine.stream = stream;
  double before_predictive = NAN;
  std::uint32_t predictive_site = 0;
  for (std::size_t i = 0; stop.kind == Stop::Sample; ++i) {
    Value value = Value::nil();
    if (i == path.recorded.draws_observed) {
      before_predictive = machine.log_weight;
      predictive_site = stop.site;
    }
    if (i < path.recorded.draws_observed)
      value = concrete(cx, path.recorded.draws[i].value);
    else if (!machine.draw_for(x, stop.dist, &value))
      break;
    machine.resume(x, value, stop);
  }
  stream = machine.stream;
  machine.stream = before;
  if (!std::isnan(before_predictive) &&
      (stop.kind == Stop::Impossible || machine.log_weight != before_predictive)) {
    failure_ = at_site(predictive_site,
                       {Code::R014, "an observe follows this draw in some executions only",
                        "write the draw in the text before the observe, or use lmh or rmh"});
    return false;
  }
  if (stop.kind != Stop::Result) {
    if (stop.kind != Stop::Impossible) failure_ = machine.failure();
    return false;
  }
  out->predicts = x.predicts;
  out->result = stop.value;
  out->applications = x.applications;
  return true;
}

bool RecordedDensity::score_observes(const Path& path, std::vector<ObserveScore>* out) {
  Executor& machine = workers_.machine(worker_);
  NativeContext cx(machine.arena());
  cx.in_query = true;
  *out = prefix_->scores;
  Execution x;
  Checkpoint stop;
  machine.wants = {true, true};
  if (!prefix_->go_on(machine, x, stop)) return false;
  for (std::size_t next = 0; stop.kind == Stop::Sample || stop.kind == Stop::Observe;) {
    Value answer = Value::nil();
    if (stop.kind == Stop::Observe)
      out->push_back({stop.site, stop.log_prob});
    else if (next < path.recorded.draws_observed)
      answer = concrete(cx, path.recorded.draws[next++].value);
    else
      return true;  // nothing is observed behind these
    machine.resume(x, answer, stop);
  }
  if (stop.kind == Stop::Failed) failure_ = machine.failure();
  return stop.kind == Stop::Result;
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
  for (std::size_t i = 0; i < r.draws_observed; ++i)
    out->log_joint += path->batches->value(r.draws[i].log_prob);
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
