// SPDX-License-Identifier: Apache-2.0
// A population with something given: retained paths, which are rebuilt or followed, and parameters.
#include "infer/fit.hpp"
#include "infer/replay.hpp"
#include "particles/population.hpp"
#include "value/equality.hpp"

namespace chancel {

bool Population::rebuild(const std::vector<SegmentName>& names, RetainedPath& path) {
  bool repeated = false;
  const auto stopped = within_memory([&] {
    failure_.reset();
    Worker& worker = workers_.worker(0);
    Executor& machine = *worker.machine;
    if (!find_prefix(machine)) return;
    machine.wants = {settings_.record_draws, true};
    path = {};
    path.names = names;
    Execution x = prefix_->at;
    path.result = prefix_->result;
    History* past = nullptr;
    fresh_ = true;
    for (std::size_t barrier = 0; barrier < names.size(); ++barrier) {
      if (!x.ended()) {
        Checkpoint stop;
        machine.stream.reset(names[barrier].sweep, names[barrier].slot,
                             static_cast<std::uint32_t>(barrier));
        if (!go_on(worker, x, stop, false)) break;
        fresh_ = false;
        if (stop.kind == Stop::Observe && barrier + 1 < names.size()) {
          past = make_history(machine.arena(), past, x, stop.log_prob, nullptr);
          path.steps.push_back(past);
          continue;
        }
        if (stop.kind != Stop::Result) break;
        path.result = stop.value;
      }
      path.last = x;
      path.set = repeated = barrier + 1 == names.size();
      break;
    }
  });
  if (stopped) failure_ = stopped;
  return repeated && !failure_;
}

bool Population::rebuild(const std::vector<Value>& draws, RetainedPath& path) {
  bool repeated = false;
  const auto stopped = within_memory([&] {
    failure_.reset();
    Executor& machine = workers_.machine();
    path = {};
    repeated =
        find_prefix(machine) && replay_path(machine, prefix_->at, &*prefix_, draws, nullptr, path);
    for (History* h : path.steps) h->slot = kRetainedSlot;
  });
  if (stopped) failure_ = stopped;
  return repeated && !failure_;
}

History* Population::history_to_here(std::size_t i) {
  if (!recording_.is_lazy() || (i == 0 && following_)) return history(i);
  History* const h = make_history(workers_.machine().arena(), history(i), current_[i],
                                  recording_.score(i), nullptr);
  h->slot = static_cast<std::uint32_t>(i);
  return h;
}

bool Population::record_path(std::size_t i, RetainedPath& path) {
  if (!settings_.futures || settings_.record_draws) return true;
  const auto stopped = within_memory([&] {
    Worker& worker = workers_.worker(0);
    Executor& machine = *worker.machine;
    machine.wants = {true, true};
    for (std::size_t barrier = 0; barrier <= path.steps.size(); ++barrier) {
      History* const step = barrier < path.steps.size() ? path.steps[barrier] : nullptr;
      const std::uint32_t slot = step ? step->slot : recording_.end_slot(i);
      Execution x = barrier > 0 ? path.steps[barrier - 1]->at : prefix_->at;
      if (slot == kRetainedSlot || x.ended()) continue;
      const auto number = static_cast<std::uint32_t>(barrier);
      fresh_ = barrier == 0;
      machine.stream.reset(name_at(name_, number), slot, number);
      Checkpoint stop;
      if (!go_on(worker, x, stop, true) || stop.kind != (step ? Stop::Observe : Stop::Result)) {
        failure_ = worker.failure ? *worker.failure : not_repeated();
        worker.failure.reset();
        return;
      }
      ValueArray* const draws = make_draws(machine.arena(), worker.draws);
      if (step)
        step->draws = draws, step->slot = kRetainedSlot;
      else
        path.last_draws = draws;
    }
  });
  if (stopped) failure_ = stopped;
  return !failure_;
}

// Slot 0 takes the next state of the retained path.
void Population::follow(const RetainedPath& path, std::uint32_t barrier, Worker& worker) {
  const bool weigh = given && given->weigh && barrier <= path.steps.size();
  if (barrier < path.steps.size()) {
    History* h = path.steps[barrier];
    next_[0] = h->at;
    weights_.log(0) += h->log_prob;
    if (weigh) weights_.log(0) += weight_of_given(worker, h->draws, barrier == 0);
    recording_.set_history(0, recording_.is_lazy() && !settings_.futures ? h->previous : h);
    if (recording_.is_lazy()) recording_.next_scores()[0] = h->log_prob;
    recording_.set_last_draws(0, nullptr);
    if (given) {
      h->given = h->previous ? h->previous->given : 0;
      for (std::size_t k = 0; k < draw_count(h->draws); ++k)
        h->given += parameters->includes(static_cast<std::uint32_t>(drawn_site(h->draws, k).i),
                                         drawn_id(h->draws, k), barrier == 0);
    }
  } else {
    next_[0] = path.last;
    next_results_[0] = path.result;
    recording_.set_history(0, path.steps.empty() ? nullptr : path.steps.back());
    recording_.set_last_draws(0, path.last_draws);
    recording_.set_end_slot(0, kRetainedSlot);
    if (weigh) weights_.log(0) += weight_of_given(worker, path.last_draws, barrier == 0);
  }
  genealogy_.descend(0, genealogy_.parent(0));
}

// The ways of going on that are not hot: from the prefix, which waits at the first sample, and with
// every draw recorded.
bool Population::go_on(Worker& worker, Execution& x, Checkpoint& stop, bool record) {
  Executor& machine = *worker.machine;
  const auto failed = [&] {
    worker.failure = machine.failure();
    return false;
  };
  worker.draws.clear();
  Value answer = Value::nil();
  if (fresh_ && prefix_->kind == Stop::Sample) {
    stop = {};
    stop.dist = prefix_->dist;
    stop.site = prefix_->site;
    stop.id = prefix_->id;
    if (!(record ? this->answer(worker, x, stop, &answer)
                 : draw_for(machine, x, prefix_->dist, &answer)))
      return failed();
    if (record)
      worker.draws.insert(worker.draws.end(),
                          {Value::integer(prefix_->site), prefix_->dist, answer, prefix_->id});
  }
  resume_and_collect(machine, x, answer, stop);
  while (stop.kind == Stop::Sample) {
    if (!this->answer(worker, x, stop, &answer)) return failed();
    if (worker.log_given == kLogZero) {  // it cannot have this parameter: it goes no further
      stop.kind = Stop::Observe;
      stop.log_prob = kLogZero;
      stop.site = worker.site;
      return true;
    }
    worker.draws.insert(worker.draws.end(),
                        {Value::integer(stop.site), stop.dist, answer, stop.id});
    resume_and_collect(machine, x, answer, stop);
  }
  if (given && stop.kind == Stop::Result && worker.given != given->draws.size()) {
    fail_parameter(worker, given->draws[worker.given].site, "this parameter is not always drawn");
    return failed();
  }
  return true;
}

// The value of a draw: the one that is given, or a new one.
bool Population::answer(Worker& worker, Execution& x, const Checkpoint& stop, Value* value) {
  Executor& machine = *worker.machine;
  if (!given || !parameters->includes(stop.site, stop.id, fresh_))
    return draw_for(machine, x, stop.dist, value);
  const auto unexpected = [&] {
    return fail_parameter(worker, stop.site, "this parameter is not always drawn");
  };
  if (worker.given >= given->draws.size()) return unexpected();
  const GivenDraw& d = given->draws[worker.given];
  if (d.site != stop.site || !(stop.id.is_nil() ? d.id.is_nil() : equal(d.id, stop.id)))
    return unexpected();
  ++worker.given;
  *value = d.value;
  if (!given->weigh) return true;
  if (!can_score(stop.dist))
    return fail_parameter(worker, stop.site, "this parameter has a distribution without a density");
  if (!same_dist_type(stop.dist, d.dist))
    return fail_parameter(worker, stop.site, "this parameter has distributions of different kinds");
  Fit here, there;
  if (!fit_at(machine, x, stop.dist, d.value, &here)) return false;
  const bool has_parts = !stop.dist.is(Tag::Dist) || stop.dist.as<Dist>()->type->fit;
  if (has_parts && !fit_at(machine, x, d.dist, d.value, &there)) return false;
  // What is a density here and a mass there is nothing beside it.
  worker.log_given += has_parts && here.part != there.part ? kLogZero : here.log_prob;
  return true;
}

bool Population::fail_parameter(Worker& worker, std::uint32_t site, const char* what) {
  worker.machine->failure() = {
      Code::I006,
      Severity::Error,
      workers_.setup().image->program->site(site).span,
      what,
      "parameters are draws that every execution makes, in the same order; name others",
      {}};
  return false;
}

double Population::weight_of_given(Worker& worker, const ValueArray* draws, bool early) {
  double sum = 0;
  for (std::size_t k = 0; k < draw_count(draws); ++k) {
    const auto site = static_cast<std::uint32_t>(drawn_site(draws, k).i);
    if (!parameters->includes(site, drawn_id(draws, k), early)) continue;
    Fit fit;
    if (!fit_at(*worker.machine, next_[0], drawn_dist(draws, k), drawn_value(draws, k), &fit)) {
      worker.failure = worker.machine->failure();
      return sum;
    }
    sum += fit.log_prob;
  }
  return sum;
}

}  // namespace chancel
