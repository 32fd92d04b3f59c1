// SPDX-License-Identifier: Apache-2.0
// The random database of an execution: every draw with its distribution, value and log-probability,
// and the execution as it stood there, waiting for it. A proposal changes one draw and continues
// from the stored execution: nothing before it is run again.
//
// Addresses: a draw is named by its site in the program text (or the checkpoint id that the user
// gave it) and its occurrence number at that site. As long as the new execution makes its draws at
// the same places in the same order, addresses agree by position and nothing is hashed; only from
// the first difference on a table is built (alignment is worth 37x at 1000 draws). A later draw
// keeps its value when its address and the type of its distribution are unchanged and both the old
// and the new distribution give it positive density with respect to one measure (rescoring.hpp);
// otherwise it is drawn from the new distribution. That is reversible as long as the reverse move
// would draw it afresh as well; a new value that the reverse move would keep makes the proposal
// impossible. docs/engines/lmh.md has the ratio.
//
// Where the execution can be recorded (trace_flow.hpp), a proposal works out what depends on the
// changed draw and nothing else; the draws of the trace are kept up, the stored executions are made
// again when a proposal needs them.
#pragma once
#include <cmath>
#include <optional>
#include <unordered_map>
#include <vector>

#include "infer/history.hpp"
#include "infer/rescoring.hpp"
#include "infer/structure_visits.hpp"
#include "infer/walker.hpp"
#include "single_site/joint_density.hpp"
#include "single_site/trace_flow.hpp"
#include "value/drawn_value.hpp"

namespace chancel {

struct Choice : DrawnValue {
  Execution at;                       // waits for this draw
  bool early = false;                 // no observe that follows a draw comes before it
  Fit fit{NAN, kUsualPart};           // of value to dist; NaN = not worked out yet
  double log_likelihood_before = 0;   // of the observes before this draw
  std::uint32_t observes_before = 0;  // their number, after the prefix
  // Whether draws from dist move along a gradient; computed when it is first needed.
  mutable std::optional<bool> moves_along_gradient;
};

class Trace : private Dataflow::DrawDistributions {
 public:
  Trace(WorkerPool& workers, unsigned worker) : workers_(workers), member_(worker) {
    workers.refuse_hidden_draws();
  }
  bool recorded() const { return flow_ != nullptr; }
  void record(WhenToRecord::Policy when) { when_.set(when); }
  // What was learnt about recording is forgotten: the next execution has nothing to do with this one.
  // Replay it next.
  void begin_anew() {
    forget_flow();  // a recording that ends later would be counted there
    when_.begin_anew();
  }
  // Steps ask which draws move along a gradient: one at which that would change runs the program.
  void watch_who_moves() { watches_who_moves_ = true; }

  // Executions go no further than their n-th observe (after the prefix), and give nothing there;
  // those that end before it are impossible. 0: to their end. With a horizon nothing is recorded.
  void set_horizon(std::uint32_t observes) {
    horizon_ = observes;
    record(WhenToRecord::Policy::Never);
  }
  // Where it stands: at its horizon, or its end.
  const Execution& last() const { return last_; }

  // An execution from the prior. False: failed; `possible` says whether it satisfies the
  // observations.
  bool draw_prior(bool* possible);
  // The execution with these draws, in order (as recorded by a Population).
  bool replay(const std::vector<const ValueArray*>& segments);
  // The execution that begins with these draws; further ones come from their distributions.
  bool replay(const std::vector<Value>& values);

  std::size_t size() const { return choices_.size(); }
  const Choice& choice(std::size_t i) const { return choices_[i]; }
  // Which draws there are, and which discrete ones are equal.
  StructureKeys structure(StructureReader& reader) const {
    reader.begin();
    for (const Choice& c : choices_) reader.draw(c.site, c.id, c.value);
    return reader.end();
  }
  // What the execution gave.
  Predicts* predicts();
  const Value& result();
  std::uint64_t applications() const { return last_.applications; }
  // Log density of all observes together.
  // The observations allow it, and every draw is one that its distribution can give.
  bool is_possible();
  double log_likelihood() const { return behind_ ? flow_->flow.log_likelihood() : log_likelihood_; }
  // Log density of all draws and observes together, their exact sum rounded once; NaN where a draw has
  // none. False: failure().
  bool log_joint(double* out);
  // No function of the program is called for log_joint.
  bool has_library_draws() const;
  // The score of each observe; runs the execution again. False: failure().
  bool observes(std::vector<ObserveScore>* out);
  // Some execution has observed.
  bool observed() const {
    return observed_ || workers_.observed() || (prefix_ && prefix_->observes > 0);
  }
  // Hidden draws or estimated scores: its draws alone do not tell what the execution does.
  bool depends_on_more() const {
    return machine_ && (machine_->drew_hidden || machine_->estimated_site != 0);
  }
  Executor& machine() {
    if (!machine_) machine_ = &workers_.machine(member_);
    return *machine_;
  }
  const RunSetup& setup() const { return workers_.setup(); }
  const std::optional<Diagnostic>& failure() const { return failure_; }
  bool fail_with(const Diagnostic& d) {
    failure_ = d;
    return false;
  }

  struct Proposal {
    bool possible = false;  // false: probability zero
    // Log of the acceptance ratio without the chance of picking the changed draw: new over old
    // likelihood, and prior of kept draws. Draws that are fresh or vanish cancel against the
    // proposal, and so does a changed draw taken from its prior.
    double log_likelihood_ratio = 0;
    double log_kept_ratio = 0;
    std::size_t size = 0;            // draws of the new trace
    std::uint64_t applications = 0;  // that it took
  };
  // Proposes to set draw `index` to `value`. `from_prior`: it was drawn from the draw's
  // distribution; otherwise by a symmetric walk, and its prior probability counts. False:
  // failure().
  bool propose(std::size_t index, const Value& value, bool from_prior, Proposal* out);
  // The noise of the draws that have one, in order (trace_noise.cpp); `known`: all of it has its digits.
  // False: failure().
  bool noise(Stream& stream, std::vector<double>* out, bool* known);
  // Proposes the draws with this noise, as much as noise() gives, and the others as they are; impossible
  // where the execution then makes its draws elsewhere. False: failure().
  bool propose_noise(const double* noise, Proposal* out);
  // This draw is going to be changed.
  [[gnu::always_inline]] void prefetch(std::size_t index) const {
    if (flow_) flow_->flow.prefetch(index);
  }
  // Draw i of the proposed trace.
  const Choice& proposed_choice(std::size_t i) const {
    return i < changed_ || flowing_ ? choices_[i] : fresh_[i - changed_];
  }
  // The predicts of the proposed execution are others.
  bool proposes_other_predicts();
  void accept();
  void reject();  // the next proposal does so, too
  void visit(Evacuator& e);

 private:
  bool fail() { return fail_with(machine().failure()); }
  Choice* find_old(const Checkpoint& stop);
  // The fit of a choice, worked out if need be.
  bool fit_of(Choice& c, Fit* out);
  bool fit_to(const Choice& c, const Execution& at, const Value& x, Fit* out);
  // Gives the draw `c`, at which `x` waits, the value of the old one, or a new one; `possible` is
  // false when that cannot be undone.
  bool keep_or_redraw(Execution& x, Choice& old, Choice& c, bool* possible);
  void build_table();
  std::size_t address_key(std::uint32_t site, const Value& id);
  bool is_clipped(Choice& c, bool* yes);
  // Gives the draw `c` its value, by the next noise or that of the old one.
  bool value_with(Choice& c, Choice& old, const double*& noise, bool* possible);
  // `c` is the draw at which the execution at work has stopped.
  void note_stop(Choice& c, const Checkpoint& stop);
  // An execution at its first draw, or at its end.
  bool begin(Walker& walker);
  // From there on, to the end or to where the source leaves; observes that come here are those up to the
  // horizon.
  template <class Source>
  Stop walk(Walker& walker, Source&& source) {
    machine().scores = &fresh_scores_;
    walker.run(source, [this](Walker& w) { return pass_observe(w); });
    machine().scores = nullptr;
    if (horizon_ > 0 && walker.stop.kind == Stop::Result && observes() < horizon_)
      walker.stop.kind = Stop::Impossible;
    return walker.stop.kind;
  }
  bool pass_observe(Walker& walker);
  // Makes an execution whose draws get their values from the source, which sees the draw, too.
  template <class NextValue>
  bool replay_with(NextValue&& next_value);
  enum class Flowed { Done, Failed, Elsewhere };
  Flowed propose_in_flow(std::size_t index, const Value& value, bool from_prior, Proposal* out);
  void record_if_due();
  void forget_flow();
  // From here on the machine says whether the execution has observed.
  void watch_observes(bool has_observed) {
    observed_ = observed_ || machine().observed;
    machine().observed = has_observed;
  }
  // Terms of the joint density that the accepted change of the flow has changed.
  void note_changes();
  // Makes the executions at the draws again.
  bool catch_up();
  bool refresh_outputs();
  bool fit_to(const Value& distribution, const Value& x, Fit* out);
  bool changed(std::size_t draw, const Value& distribution) override;
  // Continues from there, to the end.
  bool run_on(Walker& walker, bool* possible);

  WorkerPool& workers_;
  unsigned member_;
  Executor* machine_ = nullptr;  // of this member, once it is asked for
  std::optional<Prefix> prefix_;
  std::vector<Choice> choices_;
  Execution last_;
  Value result_ = Value::nil();
  double log_likelihood_ = 0;
  std::vector<double>
      scores_;  // of its observes after the prefix, as they were before the flow moved ahead
  std::unique_ptr<JointDensity> joint_;  // once it is asked for
  std::optional<Diagnostic> failure_;
  std::uint32_t horizon_ = 0;

  std::unique_ptr<TraceFlow> flow_;  // of this execution; null: it is not recorded
  WhenToRecord when_;
  bool worthwhile_ = true;  // to keep the recording
  bool watches_who_moves_ = false;
  bool observed_ = false;  // by an execution before this one
  bool behind_ = false;    // the flow has moved ahead: stored executions at draws have older values

  // the proposal at work
  std::size_t changed_ = 0;
  std::vector<Choice> fresh_;  // draws of the new trace from `changed_` on
  Execution fresh_last_;
  Value fresh_result_ = Value::nil();
  double fresh_log_likelihood_ = 0;
  std::vector<double> fresh_scores_;  // of observes, from the first after the changed draw on
  std::uint32_t scores_before_ = 0;   // of those before
  // That the execution at work has passed, after the prefix.
  std::uint32_t observes() const {
    return scores_before_ + static_cast<std::uint32_t>(fresh_scores_.size());
  }
  double kept_log_ratio_ = 0;
  bool aligned_ = true;
  bool flowing_ = false;  // it is made by the flow: new_laws_ has the distributions that change
  struct NewDistribution {
    std::size_t draw;
    Value dist;
    Fit fit;
  };
  std::vector<NewDistribution> new_distributions_;
  Value flowed_value_ = Value::nil();  // of the changed draw
  Fit flowed_fit_{NAN, kUsualPart};
  bool starting_ = false;  // it is a first state: draws from improper distributions may be anywhere

  // addresses, once executions differ
  struct IdHash {
    std::size_t operator()(const Value& v) const;
  };
  struct IdEqual {
    bool operator()(const Value& a, const Value& b) const;
  };
  std::unordered_map<Value, std::size_t, IdHash, IdEqual> ids_;  // of one proposal
  std::vector<std::size_t> keys_;                                // address of each old draw
  std::vector<std::size_t> starts_, next_;  // where an address begins in positions_
  std::vector<std::uint32_t> positions_;    // old draws by address, then by occurrence
  std::vector<std::uint32_t> new_counts_;   // draws of the new trace by address
};

}  // namespace chancel
