// SPDX-License-Identifier: Apache-2.0
// Draws: nodes on the real line with a transform to the support, or held values.
#include <bit>
#include <cmath>

#include "random/stream.hpp"
#include "record/boundary_mass.hpp"
#include "record/distribution_support.hpp"
#include "record/recorder.hpp"
#include "value/number.hpp"

namespace chancel {

RecordedSample Recorder::sample(NativeContext& cx, const Value& dist, std::uint32_t site,
                                const Value& id, const Value* drawn) {
  account(cx);
  if (awaits_score_)
    return refuse(cx, site,
                  {Code::R014,
                   Severity::Error,
                   {},
                   "observe* of a distribution that is sampled must not draw",
                   "",
                   {}});
  DrawSource::Question question{site, pin(cx, id), dist, 0, drawn};
  RecordedDraw draw;
  draw.site = site;
  draw.guards_before = to_.guards.size();
  draw.id = question.id;
  question.dist = present(cx, dist);
  if (!cx.ok()) return Value::nil();
  Transform t = transform_for(graph_, dist, question.dist);
  // An infinite bound is none, and the transform another one.
  t.lower = graph_.shared(t.lower);
  t.upper = graph_.shared(t.upper);
  for (const NodeIndex bound : {t.lower, t.upper})
    if (!graph_.is_constant(bound) && !std::isfinite(graph_.value(bound)))
      pin(cx, Value::node(bound));
  guard_piling(cx, dist, question.dist);
  if (!cx.ok()) return Value::nil();
  question.inputs = t.inputs();
  std::vector<double> coordinates(question.inputs);
  Value value = Value::nil();
  const auto answer = source_.answer(cx, question, coordinates.data(), &value);
  if (answer == DrawSource::Answer::Failed) return Value::nil();
  if (answer == DrawSource::Answer::Elsewhere) {
    elsewhere_ = true;
    return cx.fail(Code::R014, "the program has other draws at these values", 0);
  }
  if (t.kind == TransformKind::None || answer == DrawSource::Answer::Held) {
    // Every execution makes its own functions: one of another execution is not a draw from a
    // distribution of this one.
    if (value.is(Tag::Closure) || value.is(Tag::Memo))
      cannot_score("sample: a draw that is a function cannot be held while others move");
    draw.value = value;
  } else {
    if (answer == DrawSource::Answer::Value) {
      std::vector<Value> items = {value};
      const Dist* distribution = support_distribution(dist, question.dist)->present;
      if (const WideDensity* wide = distribution->type->wide_density) {
        items.clear();
        wide->numbers(value, &items);
      }
      std::vector<double> numbers;
      for (const Value& item : items) numbers.push_back(to_double(item));
      unconstrain(graph_, t, numbers, coordinates.data());
    }
    draw.first_input = static_cast<std::uint32_t>(graph_.inputs().size());
    draw.inputs = t.inputs();
    draw.kind = t.kind;
    std::vector<NodeIndex> inputs;
    for (const double q : coordinates) inputs.push_back(graph_.input(q));
    const std::vector<NodeIndex> numbers = constrain(graph_, t, inputs, to_.jacobians);
    draw.value = value_of_nodes(*cx.arena, graph_, t, numbers);
  }
  if (!is_scored(question.dist)) {
    if (holds_nodes(cx, dist))
      cannot_score(
          "sample: this distribution has no density that can be recorded, and depends on draws "
          "that move");
    draw.distribution = question.dist;
    draw.log_prob = graph_.constant(0);  // the same for all values of the others
  } else if (dist.is(Tag::Dist)) {
    const Dist* distribution = question.dist.as<Dist>();
    if (distribution->type->fit && draw.inputs == 0 && !score_part(cx, dist, distribution, &draw))
      return Value::nil();
    if (draw.part == kUsualPart && !log_prob(cx, dist, draw.value, false, &draw.log_prob))
      return Value::nil();
  } else {
    awaits_score_ = true;
    scoring_from_ = to_.guards.size();
  }
  if (!awaits_score_) graph_.end_row(draw.log_prob, TermKind::Prior);
  to_.draws.push_back(draw);
  return {draw.value, awaits_score_ ? this : nullptr};
}

void Recorder::guard_piling(NativeContext& cx, const Value& dist, const Value& present) {
  for (const auto& [given, now] : support_distributions(dist, present)) {
    if (!may_have_boundary_mass(*now->type)) continue;
    std::vector<std::uint64_t> key{std::bit_cast<std::uint64_t>(now->type)};
    bool moves = false;
    for (std::uint32_t i = 0; i < now->type->parameter_count; ++i) {
      key.insert(key.end(),
                 {static_cast<std::uint64_t>(given->values[i].tag), given->values[i].bits});
      moves = moves || given->values[i].is(Tag::Node);
    }
    if (!moves || !guarded_.insert(std::move(key)).second) continue;
    const auto box = boundary_mass_box(cx, given, now);
    for (std::uint32_t i = 0; !box && i < now->type->parameter_count; ++i)
      pin(cx, given->values[i]);
    for (const ParameterRange& range : box.value_or(std::vector<ParameterRange>{})) {
      const NodeIndex at = graph_.shared(node(given->values[range.parameter]));
      to_.guards.push_back({Guard::Kind::Order, at, graph_.constant(range.lower), 1, 0});
      to_.guards.push_back({Guard::Kind::Order, at, graph_.constant(range.upper), -1, 0});
    }
  }
}

// Where the value has mass, as a point to which draws are clipped, its density says nothing.
bool Recorder::score_part(NativeContext& cx, const Value& dist, const Dist* present,
                          RecordedDraw* draw) {
  const Fit fit = present->type->fit(cx, present, draw->value);
  draw->part = fit.part;
  if (fit.part == kUsualPart || !cx.ok()) return cx.ok();
  draw->log_prob = graph_.row_constant(fit.log_prob);
  pin(cx, dist);
  return cx.ok();
}

// A distribution of the program does not give the part that a value belongs to; but the part is the
// same as long as its observe* takes the same path.
void Recorder::draw_score(const Value& log_prob) {
  awaits_score_ = false;
  RecordedDraw& draw = to_.draws.back();
  for (std::size_t i = scoring_from_; i < to_.guards.size(); ++i) {
    const Guard& g = to_.guards[i];
    if (g.kind == Guard::Kind::Order || g.kind == Guard::Kind::Same)
      draw.part = mix64(draw.part ^ (4 * static_cast<std::uint64_t>(g.kind) +
                                     static_cast<std::uint64_t>(g.order + 1) + 1));
  }
  if (!log_prob.is_nil()) draw.log_prob = node(log_prob);
  graph_.end_row(draw.log_prob, TermKind::Prior);
}

}  // namespace chancel
