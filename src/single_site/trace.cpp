// SPDX-License-Identifier: Apache-2.0
// See trace.hpp.
#include "single_site/trace.hpp"

#include "base/planted.hpp"
#include "infer/engine_state.hpp"
#include "infer/replay.hpp"
#include "math/elementary.hpp"
#include "math/log_space.hpp"
#include "record/distribution_support.hpp"
#include "value/equality.hpp"
#include "value/move_fresh.hpp"

namespace chancel {

namespace {

// Where a draw from an improper distribution begins: as Stan's do, within 2 of zero on the real
// line.
bool first_value(const Value& dist, Stream& stream, Value* out) {
  if (!dist.is(Tag::Dist) || !dist.as<Dist>()->type->improper) return false;
  const double q = 4 * stream.uniform() - 2;
  switch (dist.as<Dist>()->type->support) {
    case DistSupport::Real:
      *out = Value::real(q);
      return true;
    case DistSupport::Positive:
    case DistSupport::NonNegative:
      *out = Value::real(math::exp(q));
      return true;
    default:
      return false;
  }
}

}  // namespace

std::size_t Trace::IdHash::operator()(const Value& v) const { return hash(v); }
bool Trace::IdEqual::operator()(const Value& a, const Value& b) const { return equal(a, b); }

void Trace::visit(Evacuator& e) {
  if (prefix_) prefix_->visit(e);
  for (Choice& c : choices_) {
    if (behind_) c.at = flow_->flow.end;  // of other values, and large: made again when needed
    c.at.visit(e);
    e.visit(c.dist);
    e.visit(c.value);
    e.visit(c.id);
  }
  last_.visit(e);
  e.visit(result_);
  if (flow_) flow_->visit(e);
  fresh_.clear();
  fresh_last_ = {};
  fresh_result_ = Value::nil();
  new_distributions_.clear();
  flowed_value_ = Value::nil();
}

bool Trace::begin(Walker& walker) {
  Executor& m = machine();
  if (!prefix_) {
    Prefix prefix;
    if (!prefix.run(m, workers_.setup())) return fail();
    prefix_ = prefix;
  }
  m.wants = {true, horizon_ > 0};
  m.log_weight = prefix_->log_weight;
  watch_observes(false);
  scores_before_ = 0;
  fresh_scores_.clear();
  // What is drawn before the first sample would never be drawn again: no step starts there.
  const HiddenDraws hidden = m.treat_hidden_draws(HiddenDraws::Refused);
  walker.begin(*prefix_);
  walk(walker, leave);
  m.treat_hidden_draws(hidden);
  return walker.stop.kind != Stop::Failed || fail();
}

// One that the machine leaves to the trace.
bool Trace::pass_observe(Walker& walker) {
  if (walker.stop.log_prob == kLogZero) {
    walker.stop.kind = Stop::Impossible;
    return false;
  }
  fresh_scores_.push_back(walker.stop.log_prob);
  const bool last = observes() == horizon_;
  if (!(last && planted(Mistake::MovesForgetObserve))) machine().log_weight += walker.stop.log_prob;
  if (!last) return true;
  walker.stop.kind = Stop::Result;
  walker.stop.value = Value::nil();
  return false;
}

bool Trace::draw_prior(bool* possible) {
  forget_flow();
  choices_.clear();
  fresh_.clear();
  changed_ = 0;
  aligned_ = true;
  kept_log_ratio_ = 0;
  Walker walker(machine());
  starting_ = true;
  const bool ok = begin(walker) && run_on(walker, possible);
  starting_ = false;
  if (!ok) return false;
  if (*possible) accept();
  return true;
}

void Trace::note_stop(Choice& c, const Checkpoint& stop) {
  c.dist = stop.dist;
  c.id = stop.id;
  c.site = stop.site;
  c.early = !machine().observed;
  c.log_likelihood_before = machine().log_weight;
  c.observes_before = observes();
}

// `next_value` gives the value of the next draw (false: the machine has failed, or failure() says why there is none).
template <class NextValue>
bool Trace::replay_with(NextValue&& next_value) {
  choices_.clear();
  Walker walker(machine());
  if (!begin(walker)) return false;
  const auto next = [&](Walker& w, Value* value) {
    Choice c;
    note_stop(c, w.stop);
    if (!next_value(w, c)) return false;
    c.at = w.at;
    choices_.push_back(c);
    *value = c.value;
    return true;
  };
  switch (walk(walker, next)) {
    case Stop::Sample:  // the source has said why
      return false;
    case Stop::Failed:
      return fail();
    case Stop::Result:
      break;
    default:
      return fail_with(not_repeated());
  }
  last_ = walker.at;
  result_ = walker.stop.value;
  log_likelihood_ = machine().log_weight;
  scores_.swap(fresh_scores_);
  if (joint_) {
    joint_->scores_changed_from(0);
    joint_->draws_changed_from(0);
  }
  return true;
}

bool Trace::replay(const std::vector<const ValueArray*>& segments) {
  forget_flow();
  std::size_t segment = 0;
  std::size_t at = 0;
  return replay_with([&](Walker&, Choice& c) {
    while (segment < segments.size() && at == draw_count(segments[segment])) {
      ++segment;
      at = 0;
    }
    if (segment == segments.size()) return fail_with(not_repeated());
    c.value = drawn_value(segments[segment], at++);
    return true;
  });
}

bool Trace::replay(const std::vector<Value>& values) {
  forget_flow();
  std::size_t at = 0;
  return replay_with([&](Walker& w, Choice& c) {
    if (at == values.size()) return w.draw(&c.value);
    c.value = values[at++];
    return true;
  });
}

bool Trace::is_possible() {
  return log_likelihood() > kLogZero &&
         std::all_of(choices_.begin(), choices_.end(), [&](const Choice& c) {
           return can_be_drawn(machine(), c.at, c.dist, c.value);
         });
}

bool Trace::fit_to(const Choice& c, const Execution& at, const Value& x, Fit* out) {
  if (!fit_at(machine(), at, c.dist, x, out)) {
    Diagnostic d = machine().failure();
    if (!d.span.known()) d.span = workers_.setup().image->program->site(c.site).span;
    return fail_with(d);
  }
  if (planted(Mistake::MassesAsDensities)) out->part = kUsualPart;
  return true;
}

bool Trace::fit_of(Choice& c, Fit* out) {
  if (std::isnan(c.fit.log_prob) && !fit_to(c, c.at, c.value, &c.fit)) return false;
  *out = c.fit;
  return true;
}

bool Trace::log_joint(double* out) {
  const auto scores = [](const Choice& c) {
    if (!c.dist.is(Tag::Dist)) return can_score(c.dist);
    const DistType* type = c.dist.as<Dist>()->type;
    return type->log_prob && !type->estimated;
  };
  if (!flow_ && !std::all_of(choices_.begin(), choices_.end(), scores)) {
    *out = NAN;
    return true;
  }
  if (!joint_) joint_ = std::make_unique<JointDensity>();
  const std::size_t before_flow = choices_.empty() ? 0 : choices_[0].observes_before;
  const auto of_score = [&](std::size_t i, double* x) {
    *x = behind_ && i >= before_flow ? flow_->flow.score(i - before_flow) : scores_[i];
    return true;
  };
  const auto of_draw = [&](std::size_t i, double* x) {
    Fit fit;
    if (!fit_of(choices_[i], &fit)) return false;
    *x = fit.log_prob;
    return true;
  };
  return joint_->value(prefix_->log_weight, scores_.size(), of_score, choices_.size(), of_draw,
                       out);
}

bool Trace::has_library_draws() const {
  return std::all_of(choices_.begin(), choices_.end(),
                     [](const Choice& c) { return c.dist.is(Tag::Dist) && can_score(c.dist); });
}

bool Trace::observes(std::vector<ObserveScore>* out) {
  Executor& m = machine();
  *out = prefix_->scores;
  m.wants = {true, true};
  m.treat_hidden_draws(HiddenDraws::Refused);  // they would be others than those of the draw
  Walker walker(m);
  walker.begin(*prefix_);
  std::size_t next = 0;
  const auto value_of_draw = [&](Walker&, Value* value) {
    if (next == choices_.size()) return false;
    *value = choices_[next++].value;
    return true;
  };
  const auto note_score = [&](Walker& w) {
    out->push_back({w.stop.site, w.stop.log_prob});
    return true;
  };
  const Stop end = walker.run(value_of_draw, note_score);
  if (end == Stop::Failed) return fail();
  return end == Stop::Result || fail_with(not_repeated());
}

bool Trace::propose(std::size_t index, const Value& value, bool from_prior, Proposal* out) {
  reject();  // what has been proposed before
  if (!flow_) record_if_due();
  if (flow_ && !worthwhile_) {
    if (!catch_up()) return false;
    forget_flow();
  }
  if (flow_) {
    const Flowed flowed = propose_in_flow(index, value, from_prior, out);
    if (flowed != Flowed::Elsewhere) return flowed == Flowed::Done;
    if (!catch_up()) return false;
  }
  Executor& m = machine();
  Choice& old = choices_[index];
  changed_ = index;
  aligned_ = true;
  kept_log_ratio_ = 0;
  fresh_.clear();
  const std::uint64_t old_applications = old.at.applications;
  Choice c = old;
  c.value = value;
  c.fit.log_prob = NAN;
  *out = Proposal{};
  if (!from_prior) {
    Fit before, after;
    if (!fit_of(old, &before) || !fit_of(c, &after)) return false;
    if (!comparable(before, after)) return true;
    if (!planted(Mistake::WalkWithoutPrior)) kept_log_ratio_ = after.log_prob - before.log_prob;
  }
  fresh_.push_back(c);
  m.wants = {true, horizon_ > 0};
  m.log_weight = c.log_likelihood_before;
  scores_before_ = c.observes_before;
  fresh_scores_.clear();
  watch_observes(!c.early);
  Walker walker(m);
  walker.begin(c.at, value);
  if (!run_on(walker, &out->possible)) return false;
  if (!out->possible) return true;
  out->log_likelihood_ratio = fresh_log_likelihood_ - log_likelihood_;
  out->log_kept_ratio = kept_log_ratio_;
  out->size = changed_ + fresh_.size();
  out->applications = fresh_last_.applications - old_applications;
  when_.ran(out->applications);
  if (std::isnan(out->log_likelihood_ratio + out->log_kept_ratio)) out->possible = false;
  return true;
}

bool Trace::keep_or_redraw(Execution& x, Choice& old, Choice& c, bool* possible) {
  *possible = true;
  c.value = old.value;
  if (c.dist.o == old.dist.o) {
    c.fit = old.fit;
    return true;
  }
  Fit before, after;
  if (!fit_of(old, &before) || !fit_to(c, x, old.value, &after)) return false;
  if (comparable(before, after)) {
    c.fit = after;
    kept_log_ratio_ += after.log_prob - before.log_prob;
    return true;
  }
  if (!draw_for(machine(), x, c.dist, &c.value)) return fail();
  Fit back;
  if (!fit_to(c, x, c.value, &c.fit) || !fit_to(old, old.at, c.value, &back)) return false;
  if (comparable(back, c.fit) && !planted(Mistake::RedrawOutsideSupport)) *possible = false;
  return true;
}

bool Trace::run_on(Walker& walker, bool* possible) {
  Executor& m = machine();
  *possible = false;
  bool ok = true;
  const auto keep_or_draw = [&](Walker& w, Value* value) {
    Choice* old = find_old(w.stop);
    Choice& c = fresh_.emplace_back();
    note_stop(c, w.stop);
    if (old && same_dist_type(old->dist, c.dist) && can_score(c.dist)) {
      bool reversible;
      ok = keep_or_redraw(w.at, *old, c, &reversible);
      if (!ok || !reversible) return false;
    } else if (starting_ && first_value(c.dist, m.stream, &c.value)) {
      // an improper distribution has no draw
    } else {
      if (!w.draw(&c.value)) return false;
      if (planted(Mistake::FreshCountsTwice) && fit_to(c, w.at, c.value, &c.fit))
        kept_log_ratio_ += c.fit.log_prob;
    }
    c.at = w.at;
    *value = c.value;
    return true;
  };
  const Stop end = walk(walker, keep_or_draw);
  if (!ok) return false;
  if (end == Stop::Failed) return fail();
  if (end != Stop::Result) return true;
  fresh_last_ = walker.at;
  fresh_result_ = walker.stop.value;
  fresh_log_likelihood_ = m.log_weight;
  *possible = true;
  return true;
}

// The draw of the old trace with the address of this one. Draws before the changed one are the same
// in both and never asked for.
Choice* Trace::find_old(const Checkpoint& stop) {
  const std::size_t at = changed_ + fresh_.size();
  if (aligned_) {
    if (at >= choices_.size()) return nullptr;  // all places agreed so far, so this address is new
    Choice& old = choices_[at];
    if (same_address(old, {stop.site, stop.id})) return &old;
    aligned_ = false;
    build_table();
  }
  const std::size_t key = address_key(stop.site, stop.id);
  if (key >= new_counts_.size()) new_counts_.resize(key + 1, 0);
  const std::size_t occurrence = new_counts_[key]++;
  if (key + 1 >= starts_.size() || starts_[key] + occurrence >= starts_[key + 1]) return nullptr;
  const std::uint32_t index = positions_[starts_[key] + occurrence];
  return index > changed_ ? &choices_[index] : nullptr;
}

// Addresses as numbers: sites first, then the ids that this proposal has met.
std::size_t Trace::address_key(std::uint32_t site, const Value& id) {
  if (id.is_nil()) return site;
  return workers_.setup().image->program->site_count() +
         ids_.try_emplace(id, ids_.size()).first->second;
}

// The old draws sorted by address (counting sort), so that the n-th draw at an address is found by
// two additions; and how many draws the new trace has made at each so far.
void Trace::build_table() {
  ids_.clear();
  keys_.clear();
  for (const Choice& c : choices_) keys_.push_back(address_key(c.site, c.id));
  const std::size_t addresses = workers_.setup().image->program->site_count() + ids_.size();
  starts_.assign(addresses + 1, 0);
  for (const std::size_t key : keys_) ++starts_[key + 1];
  for (std::size_t k = 0; k < addresses; ++k) starts_[k + 1] += starts_[k];
  next_.assign(starts_.begin(), starts_.end());
  positions_.resize(choices_.size());
  for (std::size_t i = 0; i < keys_.size(); ++i)
    positions_[next_[keys_[i]]++] = static_cast<std::uint32_t>(i);
  new_counts_.assign(addresses, 0);
  for (std::size_t i = 0; i < changed_; ++i) ++new_counts_[keys_[i]];
  for (const Choice& c : fresh_) {
    const std::size_t key = address_key(c.site, c.id);
    if (key >= new_counts_.size()) new_counts_.resize(key + 1, 0);
    ++new_counts_[key];
  }
}

void Trace::accept() {
  if (flowing_) {
    choices_[changed_].value = flowed_value_;
    choices_[changed_].fit = flowed_fit_;
    for (const NewDistribution& distribution : new_distributions_) {
      choices_[distribution.draw].dist = distribution.dist;
      choices_[distribution.draw].fit = distribution.fit;
    }
    if (joint_) note_changes();
    for (const Dataflow::Changed& c : flow_->flow.changes()) flow_->outputs->touch(c.node);
    flow_->flow.keep();
    behind_ = true;
    flowing_ = false;
    return;
  }
  forget_flow();
  choices_.resize(changed_);
  choices_.insert(choices_.end(), fresh_.begin(), fresh_.end());
  last_ = fresh_last_;
  result_ = fresh_result_;
  log_likelihood_ = fresh_log_likelihood_;
  scores_.resize(scores_before_);
  scores_.insert(scores_.end(), fresh_scores_.begin(), fresh_scores_.end());
  if (!joint_) return;
  joint_->scores_changed_from(scores_before_);
  joint_->draws_changed_from(changed_);
}

void Trace::note_changes() {
  const std::size_t before_flow = choices_[0].observes_before;
  for (const Dataflow::Changed& c : flow_->flow.changes()) {
    const FlowNode& n = flow_->flow.node(c.node);
    if (n.weighs && !planted(Mistake::TermKept)) joint_->score_changed(before_flow + n.number);
  }
  flow_->flow.each_changed_row_score(
      [&](std::uint32_t i) { joint_->score_changed(before_flow + i); });
  joint_->draw_changed(changed_);
  for (const NewDistribution& distribution : new_distributions_)
    joint_->draw_changed(distribution.draw);
}

void Trace::reject() {
  if (flowing_) flow_->flow.undo();
  flowing_ = false;
}

bool Trace::proposes_other_predicts() {
  if (flowing_)
    return flow_->outputs->other_predicts(machine().context_for(flow_->flow.end),
                                          flow_->flow.changes());
  const Predicts* a = last_.predicts;
  const Predicts* b = fresh_last_.predicts;
  while (a != b) {  // executions share the part of the list that was made before the changed draw
    if (!a || !b || !equal(a->label, b->label) || !equal(a->value, b->value)) return true;
    a = a->previous;
    b = b->previous;
  }
  return false;
}

// --- the flow ---

void Trace::forget_flow() {
  if (flow_) when_.end();
  flow_.reset();
  behind_ = flowing_ = false;
  worthwhile_ = true;
}

void Trace::record_if_due() {
  // Where draws are put off the machine has another hook already.
  if (machine().estimated_site > 0 || setup().delayed || machine().drew_hidden)
    record(WhenToRecord::Policy::Never);
  if (!when_.now()) return;
  std::vector<Value> values;
  for (const Choice& c : choices_) values.push_back(c.value);
  when_.begin();
  worthwhile_ = true;
  // A recorded hidden draw would stay what it is.
  const HiddenDraws hidden = machine().treat_hidden_draws(HiddenDraws::Refused);
  flow_ = TraceFlow::record(machine(), *prefix_, values);
  machine().treat_hidden_draws(hidden);
  if (!flow_) when_.end();
}

// As fit_at, at the end of the recorded execution, where all distributions are the library's.
bool Trace::fit_to(const Value& distribution, const Value& x, Fit* out) {
  const DistType* type = distribution.as<Dist>()->type;
  if (type->fit) return fit_at(machine(), flow_->flow.end, distribution, x, out);
  NativeContext& cx = machine().context_for(flow_->flow.end);
  *out = {type->log_prob(cx, distribution.as<Dist>(), x), kUsualPart};
  const bool ok = cx.ok();
  cx.status = NativeContext::Status::Ok;
  return ok;
}

bool Trace::changed(std::size_t draw, const Value& distribution) {
  Choice& c = choices_[draw];  // its distribution can be scored, else it would not be recorded
  if (c.dist.as<Dist>()->type != distribution.as<Dist>()->type) return false;
  if (watches_who_moves_) {
    if (!c.moves_along_gradient) c.moves_along_gradient = moves_along_gradient(c.dist);
    if (moves_along_gradient(distribution) != *c.moves_along_gradient) return false;
  } else {
    c.moves_along_gradient.reset();
  }
  NewDistribution& to = new_distributions_.emplace_back();
  to.draw = draw;
  move_fresh(to.dist, distribution);
  Fit before;
  if (!fit_of(c, &before) || !fit_to(distribution, c.value, &to.fit)) {
    failure_.reset();
    return false;
  }
  if (!comparable(before, to.fit)) return false;
  kept_log_ratio_ += to.fit.log_prob - before.log_prob;
  return true;
}

Trace::Flowed Trace::propose_in_flow(std::size_t index, const Value& value, bool from_prior,
                                     Proposal* out) {
  *out = Proposal{};
  changed_ = index;
  kept_log_ratio_ = 0;
  new_distributions_.clear();
  Choice& old = choices_[index];
  flowed_value_ = value;
  flowed_fit_.log_prob = NAN;
  if (!from_prior) {
    Fit before;
    if (!fit_of(old, &before) || !fit_to(old, old.at, value, &flowed_fit_)) return Flowed::Failed;
    if (!comparable(before, flowed_fit_)) return Flowed::Done;
    kept_log_ratio_ = flowed_fit_.log_prob - before.log_prob;
  }
  double log_weight;
  NativeContext& cx = machine().context_for(flow_->flow.end);
  switch (flow_->flow.change(cx, index, value, *this, &log_weight)) {
    case Dataflow::Outcome::Elsewhere:
      if (!when_.missed()) {
        if (!catch_up()) return Flowed::Failed;
        forget_flow();
      }
      return Flowed::Elsewhere;
    case Dataflow::Outcome::Impossible:
      flow_->flow.undo();
      break;
    case Dataflow::Outcome::Done:
      flowing_ = out->possible = true;
      out->log_likelihood_ratio = log_weight;
      out->log_kept_ratio = kept_log_ratio_;
      out->size = choices_.size();
      out->applications = flow_->flow.worked_out();
      if (std::isnan(log_weight + kept_log_ratio_)) {
        flow_->flow.undo();
        flowing_ = out->possible = false;
      }
      break;
  }
  worthwhile_ = when_.answered(flow_->flow.worked_out());
  return Flowed::Done;
}

bool Trace::catch_up() {
  if (!behind_) return true;
  std::vector<Choice> old;
  old.swap(choices_);
  std::size_t next = 0;
  const bool ok = replay_with([&](Walker&, Choice& c) {
    if (next == old.size()) return fail_with(not_repeated());
    c.value = old[next].value;
    c.fit = old[next++].fit;
    return true;
  });
  behind_ = false;
  return ok;
}

bool Trace::refresh_outputs() {
  if (!flow_ || !flow_->outputs->stale()) return true;
  NativeContext& cx = machine().context_for(flow_->flow.end);
  if (!flow_->outputs->refresh(cx)) return false;
  last_.predicts = flow_->outputs->predicts();
  result_ = flow_->outputs->result();
  return true;
}

Predicts* Trace::predicts() {
  refresh_outputs();
  return last_.predicts;
}

const Value& Trace::result() {
  refresh_outputs();
  return result_;
}

}  // namespace chancel
