// SPDX-License-Identifier: Apache-2.0
// See survey.hpp.
#include "engines/survey.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "infer/walker.hpp"
#include "math/elementary.hpp"
#include "record/distribution_support.hpp"
#include "single_site/partition_chain.hpp"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"

namespace chancel {

namespace {

// The same ones for every seed: few would see one branch of a program for all users of it.
constexpr std::size_t kMostDraws = 100000;  // of one execution
// Calls of functions after which no other execution is begun: long programs are looked at once.
constexpr std::uint64_t kManyApplications = 5000000;
constexpr double kManyValues = 10000;
constexpr std::uint64_t kSurveyStream = 0x202;

// The number of values of a finite distribution; infinite for others, and for long lists.
double count_values(const Dist* d, Arena& arena) {
  if (!d->type->enumerate || !d->type->log_prob) return INFINITY;
  if (d->type->bounds) {
    double lower, upper;
    d->type->bounds(d, &lower, &upper);
    if (!(upper - lower < kManyValues)) return INFINITY;
  }
  const Value values = d->type->enumerate(d, arena);
  return values.is(Tag::Vector) ? values.as<Vector>()->count : INFINITY;
}

class Surveyor {
 public:
  Surveyor(const RunSetup& setup, unsigned executions, std::uint64_t most)
      : workers_(setup, nullptr, setup.max_memory), executions_(executions), most_(most) {
    workers_.add_roots([this](Evacuator& e) { at_.visit(e); });
  }

  Survey take() {
    std::uint64_t applications = 0;
    const auto full = within_memory([&] {
      for (unsigned i = 0; i < executions_ && applications < kManyApplications; ++i) {
        all_.complete = run(i) || (!all_.hidden && refused_hidden() && run(i));
        applications += at_.applications;
        if (!all_.complete) break;
        for (Sequence* sequence : {&every_, &others_}) sequence->compare(i == 0);
        if (i == 0) first_bounds_ = bounds_;
        all_.fixed_bounds = all_.fixed_bounds && bounds_ == first_bounds_;
        workers_.collect_if_due();
      }
    });
    if (full) all_.complete = false;
    all_.applications = applications;
    // With a table of a restaurant comes a draw of its own: what is not seated yet is not fixed.
    all_.remembered = all_.remembered && all_.seats == 0;
    const Sequence& order = all_.remembered ? others_ : every_;
    all_.alternations = order.most_alternations;
    all_.parameters = order.fixed && all_.complete && (continuous_first_ || all_.remembered);
    all_.same_draws = every_.fixed;
    all_.fixed = every_.fixed && all_.complete;
    if (!all_.complete) all_.log_outcomes = INFINITY;
    return all_;
  }

 private:
  struct Address {
    std::uint32_t site;
    std::uint32_t id;
    bool operator==(const Address&) const = default;
  };
  // Draws in the order of an execution, and the observes among them.
  struct Sequence {
    std::vector<Address> first, draws;  // of the first execution, of the present one
    bool just_observed = false;
    std::size_t alternations = 0, most_alternations = 0;
    bool fixed = true;
    void begin() {
      draws.clear();
      just_observed = false;
      alternations = 0;
    }
    void draw(const Address& address) {
      if (just_observed) ++alternations;
      just_observed = false;
      draws.push_back(address);
      most_alternations = std::max(most_alternations, alternations);
    }
    void compare(bool is_first) {
      if (is_first) first = draws;
      fixed = fixed && draws == first;
    }
  };

  // The last execution has failed: for a hidden draw? Others may have them.
  bool refused_hidden() {
    all_.hidden = workers_.machine().failure().code == Code::R014;
    return all_.hidden;
  }

  // False: it does not come to its end.
  bool run(unsigned number) {
    Executor& machine = workers_.machine();
    machine.treat_hidden_draws(HiddenDraws::Allowed);  // at the beginning: all executions share it
    machine.stream.reset(workers_.setup().name.child(kSurveyStream, number), 0, 0);
    machine.wants = {true, true};
    now_ = {};
    every_.begin();
    others_.begin();
    bounds_.clear();
    bool observed = false;
    std::size_t before_observe = 0;  // continuous draws
    const auto draw = [&](Walker& w, Value* value) {
      const Address address{w.stop.site, w.stop.id.is_nil() ? 0 : hash(w.stop.id)};
      const bool remembered = w.remembered();
      const std::size_t continuous = now_.continuous;
      const bool made = look_at(w, observed, value);
      every_.draw(address);
      if (remembered && now_.continuous > continuous)
        all_.remembered = true;
      else
        others_.draw(address);
      return made && every_.draws.size() <= kMostDraws && w.at.applications <= most_;
    };
    const auto observe = [&](Walker& w) {
      observed = all_.observed = every_.just_observed = others_.just_observed = true;
      before_observe = now_.continuous;
      all_.estimated = all_.estimated || w.stop.estimated;
      return w.at.applications <= most_;
    };
    Walker walker(machine);
    walker.begin(workers_.setup());
    walker.collecting().run(leave, leave);
    machine.treat_hidden_draws(all_.hidden ? HiddenDraws::Allowed : HiddenDraws::Refused);
    const Stop end = walker.run(draw, observe);
    const bool complete = end == Stop::Result || end == Stop::Impossible;
    at_ = walker.at;
    if (now_.draws() >= all_.draws()) {
      all_.continuous = now_.continuous;
      all_.discrete = now_.discrete;
      all_.other = now_.other;
      all_.seats = now_.seats;
      all_.generated = now_.continuous - (observed ? before_observe : now_.continuous);
    }
    all_.log_outcomes =
        number == 0 ? now_.log_outcomes : std::min(all_.log_outcomes, now_.log_outcomes);
    return complete;
  }

  // A draw: of what kind, and its value. False: it cannot be made.
  bool look_at(Walker& walker, bool observed, Value* answer) {
    const Checkpoint& stop = walker.stop;
    const Dist* d = stop.dist.is(Tag::Dist) ? stop.dist.as<Dist>() : nullptr;
    if (!d && !walker.draw(answer)) return false;
    const bool continuous = d ? !d->type->discrete : answer->is(Tag::Double);
    if (!is_scored(stop.dist) || (!d && !continuous)) {
      ++now_.other;
      now_.log_outcomes = INFINITY;
    } else if (!continuous) {
      ++now_.discrete;
      if (is_seating(stop.dist)) ++now_.seats;
      if (std::isfinite(now_.log_outcomes))
        now_.log_outcomes += math::log(count_values(d, workers_.machine().arena()));
    } else {
      ++now_.continuous;
      now_.log_outcomes = INFINITY;
      if (!observed) {
        continuous_first_ = true;
        if (d && d->type->bounds) {
          auto& [lower, upper] = bounds_.emplace_back();
          d->type->bounds(d, &lower, &upper);
        }
      }
    }
    if (d && d->type->improper) {
      all_.improper = true;
      *answer = Value::real(0.5);
      return true;
    }
    return !d || walker.draw(answer);
  }

  WorkerPool workers_;
  const unsigned executions_;
  const std::uint64_t most_;  // applications of an execution
  Execution at_;
  Survey all_, now_;
  Sequence every_, others_;  // all draws; those that are not made inside mem
  bool continuous_first_ = false;
  std::vector<std::pair<double, double>> first_bounds_, bounds_;
};

}  // namespace

Survey take_survey(const RunSetup& setup, unsigned executions, std::uint64_t most_applications) {
  return Surveyor(setup, executions, most_applications).take();
}

}  // namespace chancel
