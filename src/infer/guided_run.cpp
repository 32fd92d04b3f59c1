// SPDX-License-Identifier: Apache-2.0
// See guided_run.hpp.
#include "infer/guided_run.hpp"

#include <limits>

#include "infer/walker.hpp"
#include "math/log_space.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"

namespace chancel {

DrawAddresses::Address DrawAddresses::next(std::uint32_t site, const Value& id) {
  std::uint32_t key = 0;
  const auto add = [&] {
    counts_.push_back(0);
    return static_cast<std::uint32_t>(counts_.size() - 1);
  };
  if (id.is_nil()) {
    if (site >= by_site_.size()) by_site_.resize(site + 1, 0);
    if (by_site_[site] == 0) by_site_[site] = add() + 1;
    key = by_site_[site] - 1;
  } else {
    std::size_t i = 0;
    while (i < ids_.size() && !equal(ids_[i].first, id)) ++i;
    if (i == ids_.size()) ids_.emplace_back(id, add());
    key = ids_[i].second;
  }
  return {key, counts_[key]++};
}

DrawAddress DrawAddresses::place(std::uint32_t key) const {
  for (const auto& [id, of_id] : ids_)
    if (of_id == key) return {0, id};
  for (std::uint32_t site = 0; site < by_site_.size(); ++site)
    if (by_site_[site] == key + 1) return {site, Value::nil()};
  return {};
}

void DrawAddresses::visit(Evacuator& e) {
  for (auto& [id, key] : ids_) e.visit(id);
}

DrawKind kind_of(const Value& dist) {
  if (!dist.is(Tag::Dist)) return DrawKind::Other;
  const DistType& type = *dist.as<Dist>()->type;
  // Distributions with several parts have densities of several measures; estimates differ at each
  // call.
  if (!type.log_prob || type.fit || type.estimated) return DrawKind::Other;
  if (type.discrete) return DrawKind::Discrete;
  switch (type.support) {
    case DistSupport::Real:
    case DistSupport::Positive:
    case DistSupport::NonNegative:
    case DistSupport::UnitInterval:
    case DistSupport::Interval:
      return DrawKind::Line;
    default:
      return DrawKind::Value;
  }
}

bool GuidedRuns::run(const Proposer& propose, GuidedRun* out) {
  Executor& m = workers_.machine();
  if (!prefix_) {
    Prefix prefix;
    const Stream before = m.stream;
    if (!prefix.run(m, workers_.setup())) return fail();
    m.stream = before;
    prefix_ = prefix;
  }
  *out = GuidedRun{};
  addresses.begin_execution();
  m.wants = {true, false};
  m.log_weight = prefix_->log_weight;
  Walker walker(m);
  walker.begin(*prefix_);
  const auto proposed = [&](Walker& w, Value* value) {
    GuidedDraw& d = out->draws.emplace_back();
    d.dist = w.stop.dist;
    d.kind = kind_of(d.dist);
    d.address = addresses.next(w.stop.site, w.stop.id);
    d.log_before = m.log_weight + out->log_prior;
    std::optional<Value> chosen;
    if (d.kind != DrawKind::Other) chosen = propose(d, m.stream);
    if (chosen)
      d.value = *chosen;
    else if (!w.draw(&d.value))
      return false;
    *value = d.value;
    if (d.kind == DrawKind::Other) return true;
    if (!m.score_for(w.at, d.dist, d.value, &d.log_prior)) return w.failed();
    out->log_prior += d.log_prior;
    return d.log_prior != kLogZero;  // else its distribution cannot give it
  };
  const Stop end = walker.run(proposed, pass);
  out->end = walker.at;
  if (end == Stop::Failed) return fail();
  if (end == Stop::Sample) {
    out->log_likelihood = kLogZero;
    return true;
  }
  out->result = walker.stop.value;
  out->log_likelihood = end == Stop::Impossible ? kLogZero : m.log_weight;
  if (!(out->log_likelihood < std::numeric_limits<double>::infinity())) {
    failure_ = Diagnostic{
        Code::R012, Severity::Error,
        {},         "observe: the density is infinite, so the weights cannot be compared",
        "",         {}};
    return false;
  }
  return true;
}

}  // namespace chancel
