// SPDX-License-Identifier: Apache-2.0
// Distributions whose parameters are nodes, and log densities: of draws, and of what is observed.
#include <bit>
#include <cmath>
#include <set>

#include "base/planted.hpp"
#include "math/log_space.hpp"
#include "record/recorder.hpp"
#include "value/equality.hpp"
#include "value/observed_value.hpp"

namespace chancel {

Diagnostic estimated_score(Span place) {
  return {Code::R014,
          Severity::Error,
          place,
          "observe: this score is a random estimate, which cannot be recorded",
          "use smc, pimh, pgibbs or importance",
          {}};
}

Value Recorder::construct(NativeContext& cx, const DistType* type, const Value* args,
                          std::uint32_t count) {
  bool nodes = false;
  for (std::uint32_t i = 0; i < count && !nodes; ++i) nodes = holds_nodes(cx, args[i]);
  if (!nodes) return type->construct(cx, args, count);
  const bool known = (type->density && count == type->parameter_count) || type->wide_density;
  std::vector<Value> numbers(args, args + count);
  for (Value& v : numbers) v = known ? present(cx, v) : pin(cx, v);
  if (!cx.ok()) return Value::nil();
  const Value plain = type->construct(cx, numbers.data(), count);  // or what is wrong with it
  if (cx.status == NativeContext::Status::Failed) {                // which the program may catch
    cx.status = NativeContext::Status::Ok;
    for (std::uint32_t i = 0; i < count; ++i) numbers[i] = pin(cx, args[i]);
    return cx.ok() ? type->construct(cx, numbers.data(), count) : Value::nil();
  }
  if (!cx.ok() || !known) return plain;
  const Value made = make_node_dist(*cx.arena, type, args, count);
  distributions_.push_back(made);
  return made;
}

bool Recorder::wide_log_prob(const DistType* type, const Value* args, std::uint32_t count,
                             const Value& x, double present, NodeIndex* out) {
  std::vector<Value> numbers;
  if (!type->wide_density->parameters(args, count, &numbers) ||
      !type->wide_density->numbers(x, &numbers))
    return false;
  WideDistribution distribution{
      type, {args, args + count}, x, {}, static_cast<std::uint32_t>(numbers.size()), 0};
  std::vector<NodeIndex> operands;
  for (std::uint32_t i = 0; i < numbers.size(); ++i) {
    if (!numbers[i].is(Tag::Node)) continue;
    distribution.places.push_back(i);
    operands.push_back(static_cast<NodeIndex>(numbers[i].bits));
  }
  *out = graph_.log_prob(std::move(distribution), operands, present);
  return true;
}

bool Recorder::log_prob(NativeContext& cx, const Value& dist, const Value& x, bool observed,
                        NodeIndex* out) {
  const auto* d = dist.as<Dist>();
  const DistType* type = node_dist_type(d);
  const bool distribution_moves = type != nullptr;
  if (distribution_moves) note_scored(d);
  const bool x_moves = holds_nodes(cx, x);
  const Value plain = distribution_moves ? present(cx, dist) : dist;
  if (!cx.ok()) return false;
  const auto* p = plain.as<Dist>();
  type = p->type;
  if (!type->log_prob) {
    cx.fail(Code::R011, "observe: this distribution can be sampled but not observed", 0);
    return false;
  }
  const auto number_of_parameters = type->parameter_count;
  const auto score_now = [&](const Value& at) {
    double now = type->log_prob(cx, p, at);
    if (now == kLogZero && cx.ok() && observed) now = score_equivalent(cx, p, at);
    return now;
  };
  if (!distribution_moves && !x_moves) {
    Value given = x;
    if (!ensure_realised(cx, given)) return false;
    *out = graph_.row_constant(score_now(given));
    return cx.ok();
  }
  if (type->density) {
    double number = 0;
    NodeIndex at;
    if (x.is(Tag::Node)) {
      at = static_cast<NodeIndex>(x.bits);
      // A node is a double: distributions over integers and truth values may read it differently.
      if (!type->density->read(Value::real(graph_.value(at)), &number) || type->discrete) {
        const Value fixed = pin(cx, x);
        return log_prob(cx, dist, fixed, observed, out);
      }
    } else if (type->density->read(x, &number)) {
      at = graph_.row_constant(number);
    } else {
      const auto other = observed ? equivalent_value(p, x) : std::nullopt;
      if (!other || !type->density->read(*other, &number)) {
        *out = graph_.constant(kLogZero);
        return true;
      }
      at = graph_.row_constant(number);
    }
    std::vector<NodeIndex> parameters;
    const Value* args = d->values;
    for (std::uint32_t i = 0; i < number_of_parameters; ++i) parameters.push_back(node(args[i]));
    *out = graph_.log_prob(type->density, parameters, at);
    return true;
  }
  const Value x_now = present(cx, x);
  if (!cx.ok()) return false;
  const double now = score_now(x_now);
  if (!cx.ok()) return false;
  if (observed && !x_moves && now > kLogZero && type->log_prob(cx, p, x_now) == kLogZero)
    return log_prob(cx, dist, *equivalent_value(p, x_now), observed, out);
  if (type->wide_density && type->wide_density->weights != WeightsAre::None &&
      weights_log_prob(type, d->values, number_of_parameters, x, now, out))
    return true;
  if (type->wide_density && wide_log_prob(type, d->values, number_of_parameters, x, now, out))
    return true;
  const Value fixed_distribution = pin(cx, dist);
  const Value fixed = pin(cx, x);
  if (!cx.ok()) return false;
  return log_prob(cx, fixed_distribution, fixed, observed, out);
}

// Most distributions are scored as soon as they are made.
void Recorder::note_scored(const Dist* d) {
  if (!distributions_.empty() && distributions_.back().o == d)
    distributions_.pop_back();
  else
    scored_.insert(d);
}

void Recorder::cannot_score(const char* why) {
  if (to_.unscored != Recorded::kNone) return;
  to_.unscored = to_.draws.size();
  to_.unscored_why = why;
}

void Recorder::add_observe(NodeIndex log_prob, std::uint32_t site) {
  graph_.end_row(log_prob, TermKind::Likelihood);
  to_.observes.push_back(log_prob);
  to_.sites.push_back(site);
  to_.draws_observed = to_.draws.size();
  to_.guards_observed = to_.guards.size();
}

bool Recorder::observe(NativeContext& cx, const Value& dist, const Value& x, std::uint32_t site,
                       double* log_prob_now) {
  account(cx);
  NodeIndex at;
  if (dist.as<Dist>()->type->estimated) {
    refuse(cx, site, estimated_score({}));
    return false;
  }
  if (!log_prob(cx, dist, x, true, &at)) return false;
  *log_prob_now = graph_.value(at);
  if (!(*log_prob_now < INFINITY)) return pin_failure(cx, dist, x);
  add_observe(at, site);
  return true;
}

bool Recorder::score(NativeContext& cx, const Value& log_prob, std::uint32_t site,
                     double* present) {
  const NodeIndex at = node(log_prob);
  *present = graph_.value(at);
  if (!(*present < INFINITY)) return pin_failure(cx, log_prob, Value::nil());
  add_observe(at, site);
  return true;
}

// The machine will raise a failure, which the program may catch.
bool Recorder::pin_failure(NativeContext& cx, const Value& a, const Value& b) {
  if (planted(Mistake::FailureNotPinned)) return true;
  pin(cx, a);
  if (cx.ok()) pin(cx, b);
  return cx.ok();
}

Value Recorder::refuse(NativeContext& cx, std::uint32_t site, const Diagnostic& why) {
  cx.fail(why.code, why.message, 0, why.hint);
  refusal_ = {site, cx.failure};
  return Value::nil();
}

bool Recorder::finish(NativeContext& cx) {
  // Its parameters are right as long as its density is a number, at any value. They come before the
  // guards that only outputs depend on.
  std::vector<Guard> guards;
  std::set<std::vector<std::uint64_t>> seen;  // the same parameters need one guard
  for (const Value& made : distributions_) {
    if (scored_.contains(made.o)) continue;
    const auto* distribution = made.as<Dist>();
    const DistType* type = node_dist_type(distribution);
    std::vector<std::uint64_t> key{std::bit_cast<std::uint64_t>(type)};
    for (std::uint32_t i = 0; i < distribution->value_count; ++i)
      key.insert(key.end(), {static_cast<std::uint64_t>(distribution->values[i].tag),
                             distribution->values[i].bits});
    if (!seen.insert(std::move(key)).second) continue;
    std::vector<NodeIndex> operands;
    NodeIndex at;
    if (type->density) {
      for (std::uint32_t i = 0; i < type->parameter_count; ++i)
        operands.push_back(node(distribution->values[i]));
      at = graph_.log_prob(type->density, operands, graph_.constant(1));
    } else {
      for (std::uint32_t i = 0; i < distribution->value_count; ++i)
        substitute(cx, distribution->values[i], [&](NodeIndex n) {
          operands.push_back(n);
          return graph_.value(n);
        });
      if (!cx.ok()) return false;
      at = graph_.log_prob(
          WideDistribution{type,
                           {distribution->values, distribution->values + distribution->value_count},
                           {},
                           {},
                           0,
                           0},
          operands, 0);
    }
    at = graph_.shared(at);
    if (!planted(Mistake::LawNotGuarded)) guards.push_back({Guard::Kind::Number, at, at, 0, 0});
  }
  to_.guards.insert(to_.guards.begin(), guards.begin(), guards.end());
  to_.guards_observed += guards.size();
  for (RecordedDraw& d : to_.draws) d.guards_before += guards.size();
  return true;
}

}  // namespace chancel
