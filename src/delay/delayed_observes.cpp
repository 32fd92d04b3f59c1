// SPDX-License-Identifier: Apache-2.0
// See delayed_draws.hpp: observes.
#include "delay/delayed_draws.hpp"
#include "delay/in_store.hpp"
#include "delay/known_distributions.hpp"
#include "math/log_space.hpp"
#include "record/dataflow.hpp"
#include "record/substitute.hpp"
#include "value/number.hpp"
#include "value/observed_value.hpp"

namespace chancel {

bool DelayedDraws::observe(NativeContext& context, const Value& dist, const Value& x, std::uint32_t,
                           double* log_prob) {
  estimated_ = false;
  const bool open = dist.is(Tag::Node) || node_dist_type(dist.as<Dist>());
  Value given[2] = {dist, x};
  if (!ensure_realised(context, given[0]) || !ensure_realised(context, given[1])) return false;
  if (open || (x.is(Tag::Node) || (x.is_object() && holds_nodes(context, x))))
    return in_store(context, [&] {
      const Value value = pinned(given[1]);
      return ok() && observed(given[0], value, log_prob);
    });
  const auto* d = given[0].as<Dist>();
  if (!d->type->log_prob) {
    context.fail(Code::R011, "observe: this distribution can be sampled but not observed", 0);
    return false;
  }
  estimated_ = d->type->estimated;
  return observe_score(context, given[0], given[1], log_prob);
}

bool DelayedDraws::observed(const Value& dist, const Value& x, double* log_prob) {
  if (dist.is(Tag::Node)) {
    const auto score = observe_table(static_cast<DrawId>(dist.bits), x);
    if (score) *log_prob = *score;
    if (score || !ok()) return score.has_value();
  } else if (node_dist_type(dist.as<Dist>())) {
    for (int tries = 0; tries < 4; ++tries) {
      const Distribution distribution = read(dist);
      std::optional<double> score;
      if (distribution.type == known_distributions().normal && x.is_number())
        score = observe_normal(distribution, to_double(x));
      else if (distribution.type == known_distributions().mvn)
        score = observe_mvn(distribution, x);
      else if (conjugate_parent(distribution))
        score = condition(distribution, x);
      if (score) *log_prob = *score;
      if (score || !ok()) return score.has_value();
    }
  }
  const Value plain = pinned(dist);
  if (!ok()) return false;
  const auto* d = plain.as<Dist>();
  if (!d->type->log_prob) {
    cx().fail(Code::R011, "observe: this distribution can be sampled but not observed", 0);
    return false;
  }
  estimated_ = d->type->estimated;
  return observe_score(cx(), plain, x, log_prob);
}

std::optional<double> DelayedDraws::observe_table(DrawId table, const Value& x) {
  if (known_value(table) || store_.kind(table) != DrawKind::Table) return std::nullopt;
  const DrawId of = store_.link(table, 0);
  const FiniteDraw d = finite_.root_at(of);
  const auto* rows = store_.field(table, 1).as<Vector>();
  std::vector<double> scores(rows->count, kLogZero);
  for (std::uint32_t j = 0; j < rows->count; ++j) {
    if (d.chances[j] == 0) continue;
    const Value& distribution = vector_nth(rows, j);
    if (!distribution.is(Tag::Dist) || !distribution.as<Dist>()->type->log_prob ||
        distribution.as<Dist>()->type->estimated)
      return std::nullopt;
    if (!observe_score(cx(), distribution, x, &scores[j])) {  // which one draw in some may tell
      if (cx().status == NativeContext::Status::Failed) cx().status = NativeContext::Status::Ok;
      return std::nullopt;
    }
  }
  return finite_.condition(of, scores);
}

}  // namespace chancel
