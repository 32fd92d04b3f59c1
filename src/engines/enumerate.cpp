// SPDX-License-Identifier: Apache-2.0
// Engine enumerate: every execution of a program whose draws all have finitely many values, each
// with its exact probability. Best first: of the executions that wait at a draw, the one with the
// largest probability so far (prior times likelihood) continues, with each of its values. What is
// left out when the run stops early is known: the prior probability of everything that waits. When
// nothing waits the answer is exact and the engine is done.
//
// Short prefixes are more probable than long ones, so a program with many draws would complete
// nothing before most of its prefixes had been looked at: millions for the 17 draws of the HMM.
// When nothing has been completed for a while, the best execution therefore continues along its
// best values to its end (a dive). Dives are limited in length, since where continuing is always
// likelier than stopping they never end; when one was cut off, the limit and the interval between
// dives are doubled.
//
// Memory: about kWidest executions wait in order of probability; beyond that, branches are worked
// off at once, last in first out, so that 3^17 executions need no more room than kWidest. Very
// improbable ones stay in order: they may be the beginning of an execution without end.
#include <algorithm>
#include <cmath>
#include <limits>

#include "fmt/format.h"
#include "infer/guarded_engine.hpp"
#include "infer/options.hpp"
#include "infer/walker.hpp"
#include "math/elementary.hpp"
#include "value/collections.hpp"
#include "value/dist_object.hpp"

namespace chancel {

namespace {

constexpr std::size_t kWidest = std::size_t{1} << 18;
// Draws, and draws without a completed execution before it.
constexpr std::uint64_t kFirstDive = 256;
constexpr unsigned kLongestStep = 1024;  // branches
constexpr double kFaint = -100;          // log prior
constexpr double kNothing = -745;        // log of a ratio that is zero as a double

struct Branch {
  Execution at;                 // waits for a draw (or stands at the start)
  Value answer = Value::nil();  // which it gets
  double log_prior = 0;
  double log_likelihood = 0;
  std::uint64_t number = 0;  // order of making: ties go to the older
  double key() const { return log_prior + log_likelihood; }
};
bool later(const Branch& a, const Branch& b) {
  return a.key() != b.key() ? a.key() < b.key() : a.number > b.number;
}

class Enumerate final : public GuardedEngine {
 public:
  Enumerate(const RunSetup& setup, double mass, double left_out, std::uint64_t most)
      : GuardedEngine(setup),
        workers_(setup, nullptr, setup.max_memory),
        mass_(mass),
        left_out_(left_out),
        most_(most) {
    workers_.refuse_hidden_draws();
    workers_.add_roots([this](Evacuator& e) {
      for (auto* waiting : {&queue_, &stack_})
        for (Branch& b : *waiting) {
          b.at.visit(e);
          e.visit(b.answer);
        }
    });
  }

  bool advance(Sink& sink) override {
    Executor& machine = workers_.machine();
    bool given = false;
    if (!started_) {
      started_ = true;
      if (!begin(machine, sink, &given)) return false;
    }
    // One execution a step: a caller that stops early must not get the statistics of a complete
    // enumeration. Or none, where observes end executions early.
    for (unsigned tries = 0; !given && !all_done() && tries < kLongestStep; ++tries) {
      if (enough()) break;
      if (!go_on(machine, sink, &given)) return false;
      workers_.collect_if_due();
      if ((++steps_ & 255) == 0)
        if (auto stop = stop_requested(setup_.run)) return fail(std::move(*stop));
    }
    report();
    if (all_done() && !observed_ && !workers_.observed() && statistics_.zero_weight == 0)
      warn_no_observe(sink);
    if (!all_done() && !enough()) return true;
    if (evidence_ == kLogZero)
      return fail_all_zero("every execution contradicts the observations",
                           "with :mass or :limit, more of it finds more");
    return false;
  }

 private:
  // Stops early when asked to; otherwise only when nothing is left, or what is left has no probability that a
  // double could hold beside that of the rest: an unbounded recursion always leaves something.
  bool enough() {
    if (done_ >= most_ || (mass_ < 1 && waiting_ < 1 - mass_)) return true;
    if (stack_.empty() && !queue_.empty() && queue_.front().key() < evidence_ + kNothing)
      return true;
    return waiting_ < left_out_ && is_negligible();
  }
  // What waits has also less than this share of prior times likelihood so far. Adding that up takes as long
  // as that many steps.
  bool is_negligible() {
    if (steps_ >= next_look_) {
      double waiting = kLogZero;
      for (const auto* branches : {&queue_, &stack_})
        for (const Branch& b : *branches) waiting = log_add(waiting, b.key());
      negligible_ = waiting < evidence_ + math::log(left_out_);
      next_look_ = steps_ + queue_.size() + stack_.size() + 1;
    }
    return negligible_;
  }

  bool all_done() const { return queue_.empty() && stack_.empty(); }

  // The root: where all executions have passed what they share.
  bool begin(Executor& machine, Sink& sink, bool* given) {
    Prefix prefix;
    if (!prefix.run(machine, setup_)) return fail(machine.failure());
    Branch root;
    root.at = prefix.at;
    root.log_likelihood = prefix.log_weight;
    observed_ = prefix.observes > 0;
    statistics_.applications += root.at.applications;
    ++statistics_.particle_steps;
    if (prefix.kind == Stop::Result) {
      give(root, prefix.result, sink);
      *given = true;
    } else if (prefix.kind == Stop::Impossible) {
      ++statistics_.zero_weight;
      ++statistics_.simulations;
      ++done_;
    } else if (prefix.kind == Stop::Observe) {
      put(root);
    } else {
      Checkpoint stop;
      stop.dist = prefix.dist;
      stop.site = prefix.site;
      ++since_;
      if (branch(machine, stop, &root)) put(root);
    }
    return !failure_;
  }

  Branch take() {
    Branch b;
    if (!stack_.empty()) {
      b = stack_.back();
      stack_.pop_back();
    } else {
      std::pop_heap(queue_.begin(), queue_.end(), later);
      b = queue_.back();
      queue_.pop_back();
    }
    waiting_ -= math::exp(b.log_prior);
    return b;
  }

  void put(const Branch& b) {
    waiting_ += math::exp(b.log_prior);
    if (b.log_prior > kFaint && (!stack_.empty() || queue_.size() >= kWidest)) {
      stack_.push_back(b);
      return;
    }
    queue_.push_back(b);
    std::push_heap(queue_.begin(), queue_.end(), later);
  }

  // What waits first goes to its next draw; or on to its end, when nothing has been completed for
  // long.
  bool go_on(Executor& machine, Sink& sink, bool* given) {
    Branch b = take();
    const bool dive = since_ >= longest_dive_;
    for (std::uint64_t draws = 0;; ++draws) {
      machine.wants = {true, false};
      machine.stream.reset(setup_.name, 0, 0);
      machine.log_weight = b.log_likelihood;
      const std::uint64_t before = b.at.applications;
      Walker walker(machine);
      walker.begin(b.at, b.answer);
      walker.collecting().run(leave, leave);  // to its next draw
      const Checkpoint& stop = walker.stop;
      b.at = walker.at;
      statistics_.applications += b.at.applications - before;
      ++statistics_.particle_steps;
      if (machine.estimated_site) {
        const auto& site = setup_.image->program->site(machine.estimated_site - 1);
        return fail({Code::I006,
                     Severity::Error,
                     site.span,
                     "enumerate: the probability of this observation is an estimate",
                     "give conditional :enumerate; or use :importance, :smc or :lmh",
                     {}});
      }
      b.log_likelihood = machine.log_weight;
      switch (stop.kind) {
        case Stop::Sample:
          break;
        case Stop::Result:
          give(b, stop.value, sink);
          *given = true;
          since_ = 0;
          return true;
        case Stop::Impossible:
          ++statistics_.zero_weight;
          ++statistics_.simulations;
          ++done_;
          since_ = 0;
          return true;
        default:
          return fail(machine.failure());
      }
      ++since_;
      if (!branch(machine, stop, &b)) return !failure_;
      if (dive && draws < longest_dive_) continue;
      if (dive) {
        longest_dive_ *= 2;
        since_ = 0;
      }
      put(b);
      return true;
    }
  }

  void give(const Branch& b, const Value& result, Sink& sink) {
    ++done_;
    ++statistics_.simulations;
    evidence_ = log_add(evidence_, b.key());
    EngineDraw draw;
    draw.predicts = b.at.predicts;
    draw.result = result;
    draw.log_weight = draw.log_joint = b.key();
    draw.sweep = number_++;
    draw.chain = setup_.chain;
    draw.applications = b.at.applications;
    sink.draw(draw);
  }

  // b stands at a draw: it gets the most probable value, the others wait. False: failed, or there
  // is not a value.
  bool branch(Executor& machine, const Checkpoint& stop, Branch* b) {
    const auto* d = stop.dist.is(Tag::Dist) ? stop.dist.as<Dist>() : nullptr;
    const Value values = d && d->type->enumerate && d->type->log_prob
                             ? d->type->enumerate(d, machine.arena())
                             : Value::nil();
    if (!values.is(Tag::Vector)) {
      const auto& site = setup_.image->program->site(stop.site);
      return fail(
          {Code::I006,
           Severity::Error,
           site.span,
           fmt::format("enumerate: {} has no finite list of values",
                       d ? d->type->name : "this distribution"),
           "enumerate needs every draw to be finite and discrete; use :importance, :smc or :lmh",
           {}});
    }
    const auto* list = values.as<Vector>();
    const Branch parent = *b;
    bool found = false;
    for (std::uint32_t i = 0; i < list->count; ++i) {
      Branch child = parent;
      child.answer = vector_nth(list, i);
      double log_prob;
      if (!machine.score_for(child.at, stop.dist, child.answer, &log_prob))
        return fail(machine.failure());
      if (log_prob == kLogZero) continue;
      child.log_prior += log_prob;
      child.number = ++made_;
      if (!found) {
        *b = child;
      } else if (later(*b, child)) {
        put(*b);
        *b = child;
      } else {
        put(child);
      }
      found = true;
    }
    return found;
  }

  void report() {
    statistics_.has_log_evidence = true;
    statistics_.log_evidence = evidence_;
    statistics_.log_evidence_se = all_done() ? 0 : std::numeric_limits<double>::quiet_NaN();
    statistics_.peak_memory = workers_.heap().peak();
    statistics_.left_out = all_done() ? 0 : std::clamp(waiting_, 0.0, 1.0);
  }

  WorkerPool workers_;
  double mass_, left_out_;
  std::uint64_t most_;
  bool started_ = false;
  bool observed_ = false;      // before any draw
  std::vector<Branch> queue_;  // heap: the most probable first
  std::vector<Branch> stack_;  // what no longer fits in there
  double waiting_ = 0;         // prior probability of both
  std::uint64_t longest_dive_ = kFirstDive;
  std::uint64_t since_ = 0;  // draws since an execution was completed
  double evidence_ = kLogZero;
  std::uint64_t made_ = 0;
  std::uint64_t done_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t next_look_ = 0;  // at what waits: a step
  bool negligible_ = false;      // what the last look has found
  std::uint64_t number_ = 0;
};

}  // namespace

EngineDef enumerate_engine() {
  return {
      "enumerate",
      "exact enumeration of programs with finite discrete draws, most probable first",
      {real_option("mass", 1, 0, 1,
                   "stop when executions left out have less prior probability than 1 - mass"),
       real_option("left-out", 0, 0, 1,
                   "stop when executions left out have less than this of the prior probability, "
                   "and of the probability with what they have observed"),
       integer_option("limit", std::numeric_limits<double>::infinity(), 1,
                      "most executions to complete", kMostInteger, "none")},
      [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
        return std::make_unique<Enumerate>(setup, read.real("mass"), read.real("left-out"),
                                           read.integer("limit"));
      },
      EngineDef::Gives::List};
}

}  // namespace chancel
