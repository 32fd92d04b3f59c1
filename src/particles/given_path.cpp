// SPDX-License-Identifier: Apache-2.0
// See given_path.hpp.
#include "particles/given_path.hpp"

#include "infer/rescoring.hpp"

namespace chancel {

void GivenPath::follow(std::uint32_t barrier, Worker& worker, Particles& particles) const {
  ParticleStates& states = particles.states;
  ParticleHistories& histories = particles.histories;
  const bool ends = barrier >= path->steps.size();
  const ValueArray* draws = path->draws_before(barrier);
  if (ends) {
    states.next[0] = path->last;
    states.next_results[0] = path->result;
    histories.set_history(0, path->steps.empty() ? nullptr : path->steps.back());
    histories.set_last_draws(0, path->last_draws);
    histories.set_end_slot(0, kRetainedSlot);
  } else {
    History* h = path->steps[barrier];
    states.next[0] = h->at;
    particles.weights.log(0) += h->log_prob;
    histories.set_history(0, histories.is_lazy() && !particles.follows_states ? h->previous : h);
    if (histories.is_lazy()) histories.next_scores()[0] = h->log_prob;
    histories.set_last_draws(0, nullptr);
    if (parameters) {
      h->given = h->previous ? h->previous->given : 0;
      for (std::size_t k = 0; k < draw_count(draws); ++k)
        h->given += choice->includes(static_cast<std::uint32_t>(drawn_site(draws, k).i),
                                     drawn_id(draws, k), barrier == 0);
    }
  }
  particles.genealogy.descend(0, particles.genealogy.parent(0));
  if (parameters && parameters->weigh && barrier <= path->steps.size())
    particles.weights.log(0) += log_density_of(draws, worker, states.next[0], barrier == 0);
}

double GivenPath::log_density_of(const ValueArray* draws, Worker& worker, const Execution& at,
                                 bool early) const {
  double sum = 0;
  for (std::size_t k = 0; k < draw_count(draws); ++k) {
    const auto site = static_cast<std::uint32_t>(drawn_site(draws, k).i);
    if (!choice->includes(site, drawn_id(draws, k), early)) continue;
    Fit fit;
    if (!fit_at(*worker.machine, at, drawn_dist(draws, k), drawn_value(draws, k), &fit)) {
      worker.failure = worker.machine->failure();
      return sum;
    }
    sum += fit.log_prob;
  }
  return sum;
}

bool GivenPath::answer_given(Worker& worker, Execution& x, const Checkpoint& stop, bool early,
                             Value* value) const {
  Executor& machine = *worker.machine;
  if (!choice->includes(stop.site, stop.id, early)) return draw_for(machine, x, stop.dist, value);
  const auto unexpected = [&] {
    return fail(worker, stop.site, "this parameter is not always drawn");
  };
  if (worker.given >= parameters->draws.size()) return unexpected();
  const DrawnValue& d = parameters->draws[worker.given];
  if (!same_address(d, {stop.site, stop.id})) return unexpected();
  ++worker.given;
  *value = d.value;
  if (!parameters->weigh) return true;
  if (!can_score(stop.dist))
    return fail(worker, stop.site, "this parameter has a distribution without a density");
  if (!same_dist_type(stop.dist, d.dist))
    return fail(worker, stop.site, "this parameter has distributions of different kinds");
  Fit here, there;
  if (!fit_at(machine, x, stop.dist, d.value, &here)) return false;
  const bool has_parts = !stop.dist.is(Tag::Dist) || stop.dist.as<Dist>()->type->fit;
  if (has_parts && !fit_at(machine, x, d.dist, d.value, &there)) return false;
  // What is a density here and a mass there is nothing beside it.
  worker.log_given += has_parts && here.part != there.part ? kLogZero : here.log_prob;
  return true;
}

bool GivenPath::all_taken(Worker& worker) const {
  return !parameters || worker.given == parameters->draws.size() ||
         fail(worker, parameters->draws[worker.given].site, "this parameter is not always drawn");
}

bool GivenPath::all_have_taken(const Particles& particles) const {
  if (!parameters) return true;
  for (std::size_t i = 0; i < particles.histories.size(); ++i) {
    const std::size_t parent = particles.genealogy.parent(i);
    if (particles.states.now[parent].ended() || particles.weights.log(i) == kLogZero) continue;
    if (particles.histories.history(parent)->given != parameters->draws.size()) return false;
  }
  return true;
}

bool GivenPath::fail(Worker& worker, std::uint32_t site, const char* what) const {
  worker.machine->failure() = {
      Code::I006,
      Severity::Error,
      setup_.image->program->site(site).span,
      what,
      "parameters are draws that every execution makes, in the same order; name others",
      {}};
  return false;
}

}  // namespace chancel
