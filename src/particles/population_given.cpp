// SPDX-License-Identifier: Apache-2.0
// Executions of a population that are run again, and the ways to continue that are not hot.
#include <cmath>

#include "infer/engine_state.hpp"
#include "infer/replay.hpp"
#include "infer/walker.hpp"
#include "particles/population.hpp"

namespace chancel {

bool Population::rebuild(const std::vector<SegmentName>& names, RetainedPath& path) {
  bool repeated = false;
  const auto stopped = within_memory([&] {
    outcome_.failure.reset();
    Worker& worker = workers_.worker(0);
    Executor& machine = *worker.machine;
    if (!find_prefix(machine)) return;
    machine.wants = {settings_.record_draws, true};
    path = {};
    path.names = names;
    Execution x = prefix_->at;
    path.result = prefix_->result;
    History* past = nullptr;
    bool fresh = true;
    for (std::size_t barrier = 0; barrier < names.size(); ++barrier) {
      if (!x.ended()) {
        Checkpoint stop;
        machine.stream.reset(names[barrier].sweep, names[barrier].slot,
                             static_cast<std::uint32_t>(barrier));
        if (!go_on(worker, x, fresh, stop, false)) break;
        fresh = false;
        if (stop.kind == Stop::Observe && stop.log_prob == kLogZero) break;
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
  if (stopped) outcome_.failure = stopped;
  return repeated && !failure();
}

bool Population::rebuild(const std::vector<Value>& draws, RetainedPath& path) {
  bool repeated = false;
  const auto stopped = within_memory([&] {
    outcome_.failure.reset();
    Executor& machine = workers_.machine();
    path = {};
    repeated =
        find_prefix(machine) && replay_path(machine, prefix_->at, &*prefix_, draws, nullptr, path);
    for (History* h : path.steps) h->slot = kRetainedSlot;
    std::size_t taken = 0;
    for (std::size_t segment = 0; repeated && segment <= path.steps.size(); ++segment) {
      const ValueArray* const given = path.draws_before(segment);
      for (std::size_t k = 0; repeated && k < draw_count(given); ++k, ++taken)
        repeated = can_be_drawn(machine, path.last, drawn_dist(given, k), drawn_value(given, k));
    }
    repeated = repeated && taken == draws.size();
  });
  if (stopped) outcome_.failure = stopped;
  return repeated && !failure();
}

History* Population::history_to_here(std::size_t i) {
  Arena& arena = workers_.machine().arena();
  History* const past = particles_.history(i, arena);
  if (!particles_.histories.is_lazy() || (i == 0 && particles_.follows)) return past;
  History* const h =
      make_history(arena, past, execution(i), particles_.histories.score(i), nullptr);
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
      const std::uint32_t slot = step ? step->slot : particles_.histories.end_slot(i);
      Execution x = barrier > 0 ? path.steps[barrier - 1]->at : prefix_->at;
      if (slot == kRetainedSlot || x.ended()) continue;
      const auto number = static_cast<std::uint32_t>(barrier);
      machine.stream.reset(name_at(number), slot, number);
      Checkpoint stop;
      if (!go_on(worker, x, barrier == 0, stop, true) ||
          stop.kind != (step ? Stop::Observe : Stop::Result)) {
        outcome_.failure = worker.failure ? *worker.failure : not_repeated();
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
  if (stopped) outcome_.failure = stopped;
  return !failure();
}

bool Population::repeat_stretch(const RetainedPath& path, std::size_t number,
                                std::vector<Value>* draws, double* log_density) {
  bool same = false;
  draws->clear();
  *log_density = 0;
  const auto stopped = within_memory([&] {
    Worker& worker = workers_.worker(0);
    Executor& machine = *worker.machine;
    machine.wants = {true, true};
    Execution x = number > 0 ? path.steps[number - 1]->at : prefix_->at;
    if (x.ended()) {
      same = true;
      return;
    }
    const SegmentName& name = path.names[number];
    machine.stream.reset(name.sweep, name.slot, static_cast<std::uint32_t>(number));
    Checkpoint stop;
    const bool is_last = number == path.steps.size();
    same = go_on(worker, x, number == 0, stop, true) &&
           stop.kind == (is_last ? Stop::Result : Stop::Observe) && !machine.drew_hidden;
    worker.failure.reset();
    if (!same) return;
    *draws = worker.draws;
    *log_density =
        (is_last ? 0 : stop.log_prob) + score_draws(x, draws->data(), draws->size() / kDrawValues);
  });
  return same && !stopped;
}

double Population::score_draws(Execution x, const Value* draws, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Value& dist = draws[kDrawValues * i + 1];
    double score = 0;
    if (!dist.is(Tag::Dist) || !can_score(dist) ||
        !workers_.machine().score_for(x, dist, draws[kDrawValues * i + 2], &score))
      return NAN;
    sum += score;
  }
  return sum;
}

// From the prefix, which waits at the first sample, or from an observe to the next one. With every draw recorded
// samples are checkpoints, which take what is given.
bool Population::go_on(Worker& worker, Execution& x, bool fresh, Checkpoint& stop, bool record) {
  Executor& machine = *worker.machine;
  worker.draws.clear();
  worker.log_given = 0;
  Walker walker(machine);
  if (fresh)
    walker.begin(*prefix_);
  else
    walker.begin(x);
  const auto draw = [&](Walker& w, Value* value) {
    if (!given_.answer(worker, w.at, w.stop, fresh, value)) return w.failed();
    if (worker.log_given == kLogZero) return false;  // it cannot have this parameter
    if (record)
      worker.draws.insert(worker.draws.end(),
                          {Value::integer(w.stop.site), w.stop.dist, *value, w.stop.id});
    return true;
  };
  walker.collecting().run(draw, leave);
  x = walker.at;
  stop = walker.stop;
  if (stop.kind == Stop::Sample) {  // it goes no further
    stop.kind = Stop::Observe;
    stop.log_prob = kLogZero;
    stop.site = worker.site;
  }
  if (stop.kind == Stop::Result && !given_.all_taken(worker)) stop.kind = Stop::Failed;
  if (stop.kind != Stop::Failed) return true;
  worker.failure = machine.failure();
  return false;
}

// A segment of a particle of another rank.
bool Population::run_segment(Worker& worker, Execution& x, std::uint32_t slot,
                             std::uint32_t barrier, Checkpoint& stop) {
  worker.machine->wants = {false, true};
  worker.machine->stream.reset(name_at(barrier), slot, barrier);
  if (go_on(worker, x, barrier == 0, stop, false)) return true;
  outcome_.failure = std::move(worker.failure);
  worker.failure.reset();
  return false;
}

void Population::retain(std::size_t i, RetainedPath& path, const RetainedPath& followed) const {
  const std::uint32_t end = particles_.histories.end_slot(i);
  path.assign(particles_.history(i, workers_.machine().arena()), execution(i), result(i),
              end == kRetainedSlot ? followed.last_draws : particles_.histories.last_draws(i),
              followed, name_, end);
}

}  // namespace chancel
