// SPDX-License-Identifier: Apache-2.0
// See trace.hpp.
#include "infer/trace.hpp"

#include "base/log_space.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"
#include "value/record.hpp"

namespace chancel {

namespace {

// Distributions that can only be sampled (nested inference) keep no values: they are drawn anew.
bool can_score(const Value& dist) {
  if (dist.is(Tag::Dist)) return dist.as<Dist>()->type->log_prob != nullptr;
  static const Name* const kObserve = intern("observe*");
  const auto& methods = dist.as<Record>()->type->methods;
  return methods.find(kObserve) != methods.end();
}

constexpr std::uint64_t kIdKeys = std::uint64_t{1} << 31;  // keys of user ids start here, sites are below

}  // namespace

std::size_t Trace::IdHash::operator()(const Value& v) const { return hash(v); }
bool Trace::IdEqual::operator()(const Value& a, const Value& b) const { return equal(a, b); }

void Trace::visit(Evacuator& e) {
  for (Choice& c : choices_) {
    c.at.visit(e);
    e.visit(c.dist);
    e.visit(c.value);
    e.visit(c.id);
  }
  last_.visit(e);
  e.visit(result_);
  fresh_.clear();
  fresh_last_ = {};
  fresh_result_ = Value::nil();
}

bool Trace::draw_prior(bool* possible) {
  Machine& m = machine();
  choices_.clear();
  fresh_.clear();
  changed_ = 0;
  aligned_ = true;
  kept_log_ratio_ = 0;
  m.wants = {true, false};
  m.log_weight = 0;
  Execution x = m.start(crew_.setup().query, &crew_.setup().argument, 1);
  if (!run_on(x, Value::nil(), possible)) return false;
  if (*possible) accept();
  return true;
}

bool Trace::replay(const std::vector<const ValueArray*>& segments) {
  Machine& m = machine();
  choices_.clear();
  m.wants = {true, false};
  m.log_weight = 0;
  Execution x = m.start(crew_.setup().query, &crew_.setup().argument, 1);
  Checkpoint stop = m.resume(x, Value::nil());
  std::size_t segment = 0;
  std::size_t at = 0;
  while (stop.kind == Stop::Sample) {
    while (segment < segments.size() && at == draw_count(segments[segment])) {
      ++segment;
      at = 0;
    }
    CHANCEL_ASSERT(segment < segments.size(), "replay has more draws than the recording");
    Choice c;
    c.at = x;
    c.dist = stop.dist;
    c.id = stop.id;
    c.site = stop.site;
    c.value = drawn_value(segments[segment], at);
    c.log_likelihood_before = m.log_weight;
    ++at;
    choices_.push_back(c);
    stop = m.resume(x, c.value);
  }
  if (stop.kind == Stop::Failed) return fail();
  CHANCEL_ASSERT(stop.kind == Stop::Result, "replay contradicts the observations");
  last_ = x;
  result_ = stop.value;
  log_likelihood_ = m.log_weight;
  return true;
}

bool Trace::log_prob_of(Choice& c, double* out) {
  if (std::isnan(c.log_prob) && !score_for(machine(), c.at, c.dist, c.value, &c.log_prob)) return fail();
  *out = c.log_prob;
  return true;
}

bool Trace::propose(std::size_t index, const Value& value, bool from_prior, Proposal* out) {
  Machine& m = machine();
  Choice& old = choices_[index];
  changed_ = index;
  aligned_ = true;
  kept_log_ratio_ = 0;
  fresh_.clear();
  Choice c = old;
  c.value = value;
  c.log_prob = NAN;
  *out = Proposal{};
  if (!from_prior) {
    double before = 0;
    if (!log_prob_of(old, &before) || !log_prob_of(c, &c.log_prob)) return false;
    if (c.log_prob == kLogZero) return true;
    if (sabotage() != Sabotage::WalkWithoutPrior) kept_log_ratio_ = c.log_prob - before;
  }
  fresh_.push_back(c);
  m.wants = {true, false};
  m.log_weight = c.log_likelihood_before;
  Execution x = c.at;
  if (!run_on(x, value, &out->possible)) return false;
  if (!out->possible) return true;
  out->log_ratio = fresh_log_likelihood_ - log_likelihood_ + kept_log_ratio_;
  out->size = changed_ + fresh_.size();
  if (std::isnan(out->log_ratio)) out->possible = false;
  return true;
}

bool Trace::run_on(Execution& x, const Value& first_answer, bool* possible) {
  Machine& m = machine();
  *possible = false;
  Checkpoint stop = m.resume(x, first_answer);
  while (stop.kind == Stop::Sample) {
    Choice* old = find_old(stop);
    fresh_.emplace_back();
    Choice& c = fresh_.back();
    c.dist = stop.dist;
    c.id = stop.id;
    c.site = stop.site;
    c.log_likelihood_before = m.log_weight;
    if (old && same_dist_type(old->dist, c.dist) && can_score(c.dist)) {
      c.value = old->value;
      if (c.dist.o == old->dist.o) {
        c.log_prob = old->log_prob;
      } else {
        double before = 0;
        if (!log_prob_of(*old, &before) || !score_for(m, x, c.dist, c.value, &c.log_prob)) return fail();
        if (c.log_prob == kLogZero) {
          if (sabotage() != Sabotage::RedrawOutsideSupport) return true;
          c.log_prob = NAN;
          if (!draw_for(m, x, c.dist, &c.value)) return fail();
        } else {
          kept_log_ratio_ += c.log_prob - before;
        }
      }
    } else {
      if (!draw_for(m, x, c.dist, &c.value)) return fail();
      if (sabotage() == Sabotage::FreshCountsTwice && score_for(m, x, c.dist, c.value, &c.log_prob))
        kept_log_ratio_ += c.log_prob;
    }
    c.at = x;
    stop = m.resume(x, c.value);
  }
  if (stop.kind == Stop::Failed) return fail();
  if (stop.kind == Stop::Impossible) return true;
  fresh_last_ = x;
  fresh_result_ = stop.value;
  fresh_log_likelihood_ = m.log_weight;
  *possible = true;
  return true;
}

// The draw of the old trace with the address of this one. Draws before the changed one are the same in both and never asked for.
Choice* Trace::find_old(const Checkpoint& stop) {
  const std::size_t at = changed_ + fresh_.size();
  if (aligned_) {
    if (at >= choices_.size()) return nullptr;  // all places agreed so far, so this address is new
    Choice& old = choices_[at];
    if (old.site == stop.site && (stop.id.is_nil() ? old.id.is_nil() : equal(old.id, stop.id))) return &old;
    aligned_ = false;
    build_table();
  }
  const std::uint64_t key = address_key(stop.site, stop.id);
  const std::uint32_t occurrence = new_counts_[key]++;
  const auto found = table_.find((key << 32) | occurrence);
  return found == table_.end() ? nullptr : &choices_[found->second];
}

std::uint64_t Trace::address_key(std::uint32_t site, const Value& id) {
  if (id.is_nil()) return site;
  return kIdKeys + ids_.try_emplace(id, ids_.size()).first->second;
}

void Trace::build_table() {
  ids_.clear();
  new_counts_.clear();
  table_.clear();
  std::unordered_map<std::uint64_t, std::uint32_t> old_counts;
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    const std::uint64_t key = address_key(choices_[i].site, choices_[i].id);
    const std::uint32_t occurrence = old_counts[key]++;
    if (i > changed_) table_.emplace((key << 32) | occurrence, static_cast<std::uint32_t>(i));
  }
  for (std::size_t i = 0; i < changed_ + fresh_.size(); ++i) {
    const Choice& c = proposed_choice(i);
    ++new_counts_[address_key(c.site, c.id)];
  }
}

void Trace::accept() {
  choices_.resize(changed_);
  choices_.insert(choices_.end(), fresh_.begin(), fresh_.end());
  last_ = fresh_last_;
  result_ = fresh_result_;
  log_likelihood_ = fresh_log_likelihood_;
}

}  // namespace chancel
