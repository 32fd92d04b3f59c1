// SPDX-License-Identifier: Apache-2.0
// Proposals of a trace in terms of noise (noise.hpp): all draws that have noise get another one, from the
// first on, and the execution is run with them. The prior of the noise does not depend on other draws, so
// the ratio of a proposal holds, beside that of the noise itself, the likelihood, and the
// densities of the draws that have no noise and keep their values.
#include "single_site/noise.hpp"
#include "single_site/trace.hpp"

namespace chancel {

// Where a distribution clips its draws, what lies beyond has no noise of its own.
bool Trace::is_clipped(Choice& c, bool* yes) {
  *yes = false;
  if (!c.dist.as<Dist>()->type->fit) return true;
  Fit fit;
  if (!fit_of(c, &fit)) return false;
  *yes = fit.part != kUsualPart;
  return true;
}

bool Trace::noise(Stream& stream, std::vector<double>* out, bool* known) {
  out->clear();
  *known = false;
  for (Choice& c : choices_) {
    if (!has_noise(c.dist)) continue;
    bool clipped;
    if (!is_clipped(c, &clipped)) return false;
    double noise;
    if (clipped || !noise_of(c.dist, c.value, stream, &noise)) return true;
    out->push_back(noise);
  }
  *known = true;
  return true;
}

bool Trace::value_with(Choice& c, Choice& old, const double*& noise, bool* possible) {
  *possible = false;
  if (has_noise(c.dist) != has_noise(old.dist)) return true;
  if (has_noise(c.dist)) {
    bool clipped = true;
    if (draw_with(c.dist, *noise++, &c.value) && !is_clipped(c, &clipped)) return false;
    *possible = !clipped;
    return true;
  }
  if (!same_dist_type(old.dist, c.dist) || !can_score(c.dist)) return true;
  Fit before;
  c.value = old.value;
  if (!fit_of(old, &before) || !fit_of(c, &c.fit)) return false;
  *possible = comparable(before, c.fit);
  kept_log_ratio_ += c.fit.log_prob - before.log_prob;
  return true;
}

bool Trace::propose_noise(const double* noise, Proposal* out) {
  reject();  // what has been proposed before
  if (!catch_up()) return false;
  *out = Proposal{};
  changed_ = 0;
  kept_log_ratio_ = 0;
  fresh_.clear();
  Walker walker(machine());
  if (!begin(walker)) return false;
  bool ok = true;
  const auto draw_with_noise = [&](Walker& w, Value* value) {
    if (fresh_.size() == choices_.size()) return false;
    Choice& old = choices_[fresh_.size()];
    if (!same_address(old, {w.stop.site, w.stop.id})) return false;
    Choice& c = fresh_.emplace_back();
    note_stop(c, w.stop);
    c.at = w.at;
    bool possible;
    ok = value_with(c, old, noise, &possible);
    *value = c.value;
    return ok && possible;
  };
  const Stop end = walk(walker, draw_with_noise);
  if (!ok) return false;
  if (end == Stop::Failed) return fail();
  if (end != Stop::Result || fresh_.size() != choices_.size()) return true;
  fresh_last_ = walker.at;
  fresh_result_ = walker.stop.value;
  fresh_log_likelihood_ = machine().log_weight;
  out->log_likelihood_ratio = fresh_log_likelihood_ - log_likelihood();
  out->log_kept_ratio = kept_log_ratio_;
  out->size = fresh_.size();
  out->applications = fresh_last_.applications;
  out->possible = !std::isnan(out->log_likelihood_ratio + out->log_kept_ratio);
  return true;
}

}  // namespace chancel
