// SPDX-License-Identifier: Apache-2.0
// See delayed_draws.hpp: distributions whose parameters are nodes, sampled and observed.
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "delay/delayed_draws.hpp"
#include "delay/in_store.hpp"
#include "delay/laws.hpp"
#include "math/elementary.hpp"
#include "math/log_space.hpp"
#include "math/special.hpp"
#include "record/dataflow.hpp"
#include "record/substitute.hpp"
#include "value/equality.hpp"
#include "value/number.hpp"
#include "value/observed_value.hpp"

namespace chancel {

namespace {

constexpr std::uint32_t kMostValues = 64;  // of a finite draw that is summed out

std::span<const Value> values_of(const Dist* d) { return {&d->values[0], d->value_count}; }

}  // namespace

DelayedDraws::Law DelayedDraws::read(const Value& dist) const {
  Law law;
  if (!dist.is(Tag::Dist)) return law;
  const auto* d = dist.as<Dist>();
  const DistType* open = node_dist_type(d);
  law.type = open ? open : d->type;
  const auto values = values_of(d);
  law.parameters.reserve(values.size());
  for (const Value& v : values) law.parameters.push_back(settle(v));
  return law;
}

Value DelayedDraws::construct(NativeContext& context, const DistType* type, const Value* args,
                              std::uint32_t count) {
  const auto open = [&](const Value& v) {
    return v.is(Tag::Node) || (v.is_object() && holds_nodes(context, v));
  };
  if (std::none_of(args, args + count, open)) return type->construct(context, args, count);
  return in_store(context, [&]() -> Value {
    Law law{type, {args, args + count}};
    std::vector<Value>& given = law.parameters;
    for (;;) {
      for (Value& v : given) v = settle(v);
      if (std::none_of(given.begin(), given.end(), open))
        return type->construct(cx(), given.data(), count);
      const auto finite = std::find_if(given.begin(), given.end(),
                                       [&](const Value& v) { return finite_of(v) != 0; });
      if (finite != given.end()) {
        if (const auto table = lift(given.data(), count, [&](const Value* v) {
              return type->construct(cx(), v, count);
            }))
          return *table;
        if (ok()) *finite = pinned(*finite);
      } else if (const auto drawn = needed(law)) {
        given[*drawn] = pinned(given[*drawn]);
      } else {
        return make_node_dist(*cx().arena, type, given.data(), count);
      }
      if (!ok()) return Value::nil();
    }
  });
}

// --- samples ---

bool DelayedDraws::put_off(NativeContext& context, Value* v, std::uint32_t site,
                           const Value& given_id) {
  return in_store(context, [&] {
    const Value id = pinned(given_id);
    if (!ok()) return false;
    const DrawPlace place{site, id};
    if (v->is(Tag::Node)) {
      Value out;
      if (put_off_table(static_cast<DrawId>(v->bits), place, &out)) {
        *v = out;
        return true;
      }
      if (!ok()) return false;
      *v = pinned(*v);
      if (!ok()) return false;
    }
    if (node_dist_type(v->as<Dist>())) {
      Value out;
      // A draw that was needed on the way changes what can be put off.
      for (std::size_t before = 0;; ++before) {
        const Law law = read(*v);
        if (std::none_of(law.parameters.begin(), law.parameters.end(),
                         [&](const Value& p) { return holds_open_nodes(p); }))
          break;
        if (put_off_open(law, *v, place, &out)) {
          *v = out;
          return true;
        }
        if (!ok()) return false;
        if (before == 3) break;
      }
      *v = pinned(*v);
      if (!ok()) return false;
    }
    Value out;
    if (!put_off_plain(*v, place, &out)) return false;
    *v = out;
    return true;
  });
}

bool DelayedDraws::put_off_plain(const Value& dist, const DrawPlace& place, Value* out) {
  const auto* d = dist.as<Dist>();
  const DistType* type = d->type;
  const Law law = read(dist);
  const auto number = [&](std::size_t i) { return Value::real(to_double(law.parameters[i])); };
  const Value site = Value::integer(place.site);
  if (type == laws().normal) {
    AffineForm mean;
    mean.constant = to_double(law.parameters[0]);
    return put_off_normal(mean, law.parameters[1], place, out);
  }
  if (type == laws().mvn) return put_off_mvn(law, place, out);
  if (type == laws().gamma || type == laws().inverse_gamma || type == laws().exponential) {
    const bool one = type == laws().exponential;
    const DrawId id = store_.add(
        DrawKind::Gamma, {one ? Value::real(1) : number(0), number(one ? 0 : 1), site, place.id});
    *out = type == laws().inverse_gamma ? make_power({1, id, -1}) : Value::node(id);
    return true;
  }
  const bool unit = type == laws().uniform && to_double(law.parameters[0]) == 0 &&
                    to_double(law.parameters[1]) == 1;
  if (type == laws().beta || unit) {
    *out = Value::node(store_.add(
        DrawKind::Beta,
        {unit ? Value::real(1) : number(0), unit ? Value::real(1) : number(1), site, place.id}));
    return true;
  }
  if (type == laws().dirichlet) {
    std::vector<Value> weights;
    if (!type->wide_density->parameters(law.parameters.data(), 1, &weights)) return false;
    std::vector<Value> fields{site, place.id};
    for (const Value& w : weights) fields.push_back(Value::real(to_double(w)));
    const DrawId id = store_.add(DrawKind::Dirichlet, fields);
    std::vector<Value> parts;
    for (std::size_t i = 0; i < weights.size(); ++i)
      parts.push_back(Value::node(
          store_.add(DrawKind::Part, {link_to(id), Value::integer(static_cast<std::int64_t>(i))})));
    *out = make_vector(*cx().arena, parts.data(), parts.size());
    return true;
  }
  if (type == laws().seating && !seats_) return false;
  if (!type->discrete || type->support == LawSupport::Point || type->estimated || type->fit ||
      !type->log_prob || !type->enumerate)
    return false;
  FiniteDraw draw;
  draw.place = place;
  draw.values = type->enumerate(d, *cx().arena);
  if (!draw.values.is(Tag::Vector) || draw.size() == 0 || draw.size() > kMostValues) return false;
  for (std::uint32_t i = 0; i < draw.size(); ++i)
    draw.chances.push_back(
        math::exp(type->log_prob(cx(), d, vector_nth(draw.values.as<Vector>(), i))));
  if (!ok()) return false;
  *out = Value::node(finite_.add(draw));
  return true;
}

// A draw whose law depends on a finite one: a row of chances for each value of that.
bool DelayedDraws::put_off_table(DrawId table, const DrawPlace& place, Value* out) {
  if (settled(table)) return false;
  const auto* rows = store_.field(table, 1).as<Vector>();
  FiniteDraw draw;
  draw.parent = store_.link(table, 0);
  draw.place = place;
  std::vector<Value> values;
  for (std::uint32_t j = 0; j < rows->count; ++j) {
    const Value& law = vector_nth(rows, j);
    if (!law.is(Tag::Dist)) return false;
    const auto* d = law.as<Dist>();
    if (!d->type->discrete || !d->type->enumerate || !d->type->log_prob || d->type->estimated ||
        d->type->fit)
      return false;
    const Value support = d->type->enumerate(d, *cx().arena);
    if (!support.is(Tag::Vector) || support.as<Vector>()->count > kMostValues) return false;
    for (std::uint32_t i = 0; i < support.as<Vector>()->count; ++i) {
      const Value& value = vector_nth(support.as<Vector>(), i);
      if (i < values.size() && equal(values[i], value)) continue;
      if (std::none_of(values.begin(), values.end(),
                       [&](const Value& known) { return equal(known, value); }))
        values.push_back(value);
    }
  }
  if (values.empty() || values.size() > kMostValues) return false;
  draw.values = make_vector(*cx().arena, values.data(), values.size());
  for (std::uint32_t j = 0; j < rows->count; ++j) {
    const auto* d = vector_nth(rows, j).as<Dist>();
    for (const Value& value : values)
      draw.chances.push_back(math::exp(d->type->log_prob(cx(), d, value)));
  }
  if (!ok()) return false;
  *out = Value::node(finite_.add(draw));
  return true;
}

bool DelayedDraws::one_scale(DrawId block, DrawId scale) {
  const DrawId other = gaussians_.scale_of(block);
  if (other == scale) return true;
  if (other) force(other);
  if (ok() && scale) force(scale);
  return false;
}

std::optional<DrawId> DelayedDraws::joined(const AffineForm& form) {
  std::vector<DrawId> components;
  for (const AffineTerm& t : form.terms) components.push_back(t.component);
  const DrawId scale = gaussians_.scale_of(gaussians_.block_of(components[0]));
  for (const DrawId c : components)
    if (!one_scale(gaussians_.block_of(c), scale)) return std::nullopt;
  if (const auto block = gaussians_.join(components)) return block;
  force(*std::min_element(components.begin(), components.end()));
  return std::nullopt;
}

bool DelayedDraws::put_off_normal(const AffineForm& mean, const Value& sd, const DrawPlace& place,
                                  Value* out) {
  const auto p = power(sd);
  if (!p && !sd.is_number()) return false;
  if (p && p->exponent != -0.5) return false;
  const double deviation = p ? p->coefficient : to_double(sd);
  if (!(deviation > 0) || !std::isfinite(deviation) || !std::isfinite(mean.constant)) return false;
  GaussianBlock b;
  b.scale = p ? p->gamma : 0;
  if (!mean.terms.empty()) {
    const auto parent = mean.terms.size() == 1 ? gaussians_.block_of(mean.terms[0].component)
                                               : joined(mean).value_or(0);
    if (!parent || !one_scale(parent, b.scale)) return false;
  }
  b.offset.resize(1);
  b.offset[0] = mean.constant;
  b.slope.resize(1, static_cast<int>(mean.terms.size()));
  for (std::size_t i = 0; i < mean.terms.size(); ++i) {
    b.parents.push_back(mean.terms[i].component);
    b.slope(0, static_cast<int>(i)) = mean.terms[i].coefficient;
  }
  b.covariance.resize(1, 1);
  b.covariance(0, 0) = deviation * deviation;
  std::vector<DrawId> components;
  gaussians_.add(b, place, &components);
  *out = Value::node(components[0]);
  return true;
}

namespace {
// The parameters of an mvn, mean and covariance, as they were given.
bool mvn_parameters(const DistType* type, const std::vector<Value>& given, std::vector<Value>* mean,
                    SmallMatrix* covariance) {
  std::vector<Value> all;
  if (!type->wide_density->parameters(given.data(), 2, &all)) return false;
  std::size_t d = 0;
  while (d + d * d < all.size()) ++d;
  if (d == 0 || d > kMostJoint || d + d * d != all.size()) return false;
  mean->assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(d));
  const auto n = static_cast<int>(d);
  covariance->resize(n, n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) {
      const Value& v = all[d + static_cast<std::size_t>(i * n + k)];
      if (!v.is_number()) return false;
      (*covariance)(i, k) = to_double(v);
    }
  return *covariance == covariance->transpose() && covariance->llt().info() == Eigen::Success;
}
}  // namespace

std::optional<std::size_t> DelayedDraws::needed(const Law& law) {
  const std::vector<Value>& given = law.parameters;
  if (law.type == laws().normal && given.size() == 2) {
    if (!affine(given[0])) return 0;
    const auto p = power(given[1]);
    if (p ? p->exponent == -0.5 : given[1].is_number() && to_double(given[1]) > 0)
      return std::nullopt;
    return holds_open_nodes(given[1]) ? 1 : 0;
  }
  if (law.type == laws().mvn && given.size() == 2) {
    std::vector<Value> mean;
    SmallMatrix covariance;
    if (holds_open_nodes(given[1])) return 1;
    const bool usable = mvn_parameters(law.type, given, &mean, &covariance) &&
                        std::all_of(mean.begin(), mean.end(),
                                    [&](const Value& v) { return affine(v).has_value(); });
    return usable ? std::nullopt : std::optional<std::size_t>(0);
  }
  if (const DrawId parent = conjugate_parent(law)) {
    const Law typical = typical_of(law, parent);
    typical.type->construct(cx(), typical.parameters.data(),
                            static_cast<std::uint32_t>(typical.parameters.size()));
    if (ok()) return std::nullopt;
    cx().status = NativeContext::Status::Ok;
  }
  return std::find_if(given.begin(), given.end(),
                      [&](const Value& v) { return holds_open_nodes(v); }) -
         given.begin();
}

// Terms of several forms over one list of components.
static SmallMatrix slopes(std::span<const AffineForm> forms,
                          const std::vector<DrawId>& components) {
  SmallMatrix m =
      SmallMatrix::Zero(static_cast<int>(forms.size()), static_cast<int>(components.size()));
  for (std::size_t i = 0; i < forms.size(); ++i)
    for (const AffineTerm& t : forms[i].terms)
      m(static_cast<int>(i),
        static_cast<int>(std::find(components.begin(), components.end(), t.component) -
                         components.begin())) += t.coefficient;
  return m;
}

// All terms of the forms as one; none: a parameter is no affine form.
static AffineForm together(const std::vector<AffineForm>& forms) {
  AffineForm all;
  for (const AffineForm& f : forms)
    for (const AffineTerm& t : f.terms)
      if (std::none_of(all.terms.begin(), all.terms.end(),
                       [&](const AffineTerm& o) { return o.component == t.component; }))
        all.terms.push_back(t);
  return all;
}

bool DelayedDraws::put_off_mvn(const Law& law, const DrawPlace& place, Value* out) {
  std::vector<Value> mean;
  GaussianBlock b;
  if (!mvn_parameters(law.type, law.parameters, &mean, &b.covariance)) return false;
  std::vector<AffineForm> forms;
  for (const Value& v : mean) {
    const auto form = affine(v);
    if (!form) return false;
    forms.push_back(*form);
  }
  const AffineForm all = together(forms);
  if (!all.terms.empty()) {
    const auto parent = joined(all);
    if (!parent || !one_scale(*parent, 0)) return false;
    for (const AffineTerm& t : all.terms) b.parents.push_back(t.component);
  }
  b.slope = slopes(forms, b.parents);
  b.offset.resize(static_cast<int>(forms.size()));
  for (std::size_t i = 0; i < forms.size(); ++i) b.offset[static_cast<int>(i)] = forms[i].constant;
  std::vector<DrawId> components;
  gaussians_.add(b, place, &components);
  std::vector<Value> nodes;
  for (const DrawId c : components) nodes.push_back(Value::node(c));
  *out = make_vector(*cx().arena, nodes.data(), nodes.size());
  return true;
}

bool DelayedDraws::put_off_open(const Law& law, const Value& dist, const DrawPlace& place,
                                Value* out) {
  if (law.type == laws().normal) {
    const auto mean = affine(law.parameters[0]);
    return mean && put_off_normal(*mean, law.parameters[1], place, out);
  }
  if (law.type == laws().mvn) return put_off_mvn(law, place, out);
  if (!conjugate_parent(law)) return false;
  *out = Value::node(store_.add(DrawKind::Child, {dist, Value::integer(place.site), place.id}));
  return true;
}

// --- observes ---

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
      const Law law = read(dist);
      std::optional<double> score;
      if (law.type == laws().normal && x.is_number())
        score = observe_normal(law, to_double(x));
      else if (law.type == laws().mvn)
        score = observe_mvn(law, x);
      else if (conjugate_parent(law))
        score = condition(law, x);
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
  if (settled(table) || store_.kind(table) != DrawKind::Table) return std::nullopt;
  const DrawId of = store_.link(table, 0);
  const FiniteDraw d = finite_.root_at(of);
  const auto* rows = store_.field(table, 1).as<Vector>();
  std::vector<double> scores(rows->count, kLogZero);
  for (std::uint32_t j = 0; j < rows->count; ++j) {
    if (d.chances[j] == 0) continue;
    const Value& law = vector_nth(rows, j);
    if (!law.is(Tag::Dist) || !law.as<Dist>()->type->log_prob || law.as<Dist>()->type->estimated)
      return std::nullopt;
    if (!observe_score(cx(), law, x, &scores[j])) {  // which one draw in some may tell
      if (cx().status == NativeContext::Status::Failed) cx().status = NativeContext::Status::Ok;
      return std::nullopt;
    }
  }
  return finite_.condition(of, scores);
}

std::optional<double> DelayedDraws::observe_normal(const Law& law, double x) {
  if (!std::isfinite(x)) return std::nullopt;
  const auto mean = affine(law.parameters[0]);
  const auto p = power(law.parameters[1]);
  if (!mean || (!p && !law.parameters[1].is_number()) || (p && p->exponent != -0.5))
    return std::nullopt;
  const double deviation = p ? p->coefficient : to_double(law.parameters[1]);
  if (!(deviation > 0) || !std::isfinite(deviation)) return std::nullopt;
  const double variance = deviation * deviation;
  if (mean->terms.empty()) {
    if (!p) return std::nullopt;  // no node is left
    const double error = x - mean->constant;
    return condition_scale(store_, p->gamma, 1, math::log(variance), error * error / variance);
  }
  const auto block = joined(*mean);
  if (!block || !one_scale(*block, p ? p->gamma : 0)) return std::nullopt;
  const GaussianBlock root = gaussians_.root_at(*block);
  const SmallMatrix slope = slopes(std::span(&*mean, 1), root.components);
  const SmallMatrix noise = SmallMatrix::Constant(1, 1, variance);
  return gaussians_.condition(*block, slope, SmallVector::Constant(1, mean->constant), noise,
                              SmallVector::Constant(1, x));
}

std::optional<double> DelayedDraws::observe_mvn(const Law& law, const Value& x) {
  std::vector<Value> mean;
  SmallMatrix noise;
  std::vector<Value> numbers;
  if (!mvn_parameters(law.type, law.parameters, &mean, &noise) ||
      !law.type->wide_density->numbers(x, &numbers) || numbers.size() != mean.size())
    return std::nullopt;
  std::vector<AffineForm> forms;
  SmallVector value(static_cast<int>(mean.size()));
  SmallVector offset(static_cast<int>(mean.size()));
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const auto form = affine(mean[i]);
    if (!form || !numbers[i].is_number() || !std::isfinite(to_double(numbers[i])))
      return std::nullopt;
    forms.push_back(*form);
    offset[static_cast<int>(i)] = form->constant;
    value[static_cast<int>(i)] = to_double(numbers[i]);
  }
  const AffineForm all = together(forms);
  if (all.terms.empty()) return std::nullopt;
  const auto block = joined(all);
  if (!block || !one_scale(*block, 0)) return std::nullopt;
  const GaussianBlock root = gaussians_.root_at(*block);
  return gaussians_.condition(*block, slopes(forms, root.components), offset, noise, value);
}

// --- beta, gamma and Dirichlet draws ---

DrawId DelayedDraws::conjugate_parent(const Law& law) const {
  const auto beta = [&](std::size_t i) -> DrawId {
    const Value& v = law.parameters[i];
    if (!v.is(Tag::Node)) return 0;
    const auto id = static_cast<DrawId>(v.bits);
    return store_.kind(id) == DrawKind::Beta ? id : 0;
  };
  const auto rate = [&](std::size_t i) -> DrawId {
    const auto p = power(law.parameters[i]);
    return p && p->exponent == 1 ? p->gamma : 0;
  };
  const KnownLaws& known = laws();
  if (law.type == known.flip || law.type == known.bernoulli || law.type == known.geometric)
    return beta(0);
  if (law.type == known.binomial) return law.parameters[0].is_number() ? beta(1) : 0;
  if (law.type == known.poisson || law.type == known.exponential) return rate(0);
  if (law.type == known.gamma) return law.parameters[0].is_number() ? rate(1) : 0;
  if (law.type == known.discrete) {
    std::vector<Value> weights;
    if (!law.type->wide_density ||
        !law.type->wide_density->parameters(law.parameters.data(), 1, &weights))
      return 0;
    DrawId whole = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (!weights[i].is(Tag::Node)) return 0;
      const auto id = static_cast<DrawId>(weights[i].bits);
      if (store_.kind(id) != DrawKind::Part ||
          store_.field(id, 1).i != static_cast<std::int64_t>(i))
        return 0;
      if (whole && store_.link(id, 0) != whole) return 0;
      whole = store_.link(id, 0);
    }
    if (!whole || store_.kind(whole) != DrawKind::Dirichlet ||
        store_.field_count(whole) != weights.size() + 2)
      return 0;
    return whole;
  }
  return 0;
}

// The law of a draw with the parent summed out, where that is one of the library's; nil: it is not.
Value DelayedDraws::predictive_law(const Law& law, DrawId parent) {
  if (law.type == laws().flip || law.type == laws().bernoulli || law.type == laws().discrete)
    return law.type->construct(cx(), typical_of(law, parent).parameters.data(), 1);
  return Value::nil();
}

DelayedDraws::Law DelayedDraws::typical_of(const Law& law, DrawId parent) {
  Law typical = law;
  if (store_.kind(parent) == DrawKind::Dirichlet) {
    std::vector<Value> weights;
    for (std::size_t i = 2; i < store_.field_count(parent); ++i)
      weights.push_back(store_.field(parent, i));
    typical.parameters = {make_vector(*cx().arena, weights.data(), weights.size())};
    return typical;
  }
  const double a = store_.number(parent, 0);
  const double b = store_.number(parent, 1);
  if (store_.kind(parent) == DrawKind::Beta) {
    typical.parameters[law.type == laws().binomial ? 1 : 0] = Value::real(a / (a + b));
    return typical;
  }
  const std::size_t at = law.type == laws().gamma ? 1 : 0;
  typical.parameters[at] = Value::real(power(law.parameters[at])->coefficient * a / b);
  return typical;
}

std::optional<double> DelayedDraws::condition(const Law& law, const Value& given) {
  const DrawId parent = conjugate_parent(law);
  const KnownLaws& known = laws();
  // Whether the value is possible at all, and the distribution's own form of it.
  const Law typical = typical_of(law, parent);
  const auto own = [&]() -> std::optional<Value> {
    const Value d = law.type->construct(cx(), typical.parameters.data(),
                                        static_cast<std::uint32_t>(typical.parameters.size()));
    double score = 0;
    if (!ok() || !observe_score(cx(), d, given, &score) || score == kLogZero) return std::nullopt;
    return own_value(cx(), d.as<Dist>(), given);
  };
  const auto impossible = [&]() -> std::optional<double> {
    return ok() ? std::optional<double>(kLogZero) : std::nullopt;
  };
  if (store_.kind(parent) == DrawKind::Dirichlet) {
    std::vector<Value> fields;
    double sum = 0;
    for (std::size_t i = 0; i < store_.field_count(parent); ++i) {
      fields.push_back(store_.field(parent, i));
      if (i >= 2) sum += fields.back().d;
    }
    const auto x = own();
    if (!x) return impossible();
    Value& weight = fields[static_cast<std::size_t>(x->i) + 2];
    const double chance = weight.d / sum;
    weight = Value::real(weight.d + 1);
    store_.set(parent, DrawKind::Dirichlet, fields);
    return math::log(chance);
  }
  const double a = store_.number(parent, 0);
  const double b = store_.number(parent, 1);
  const auto become = [&](DrawKind kind, double more_a, double more_b) {
    store_.set(parent, kind,
               {Value::real(a + more_a), Value::real(b + more_b), store_.field(parent, 2),
                store_.field(parent, 3)});
  };
  if (store_.kind(parent) == DrawKind::Beta) {
    const auto x = own();
    if (!x) return impossible();
    double yes = 0;
    double no = 0;
    double ways = 0;  // log
    if (law.type == known.binomial) {
      const double n = to_double(law.parameters[0]);
      yes = to_double(*x);
      no = n - yes;
      ways = log_factorial(n) - log_factorial(yes) - log_factorial(no);
    } else if (law.type == known.geometric) {
      yes = 1;
      no = to_double(*x);
    } else {
      yes = x->is(Tag::Bool) ? static_cast<double>(x->truthy()) : to_double(*x);
      no = 1 - yes;
      become(DrawKind::Beta, yes, no);
      return math::log((yes > 0 ? a : b) / (a + b));
    }
    become(DrawKind::Beta, yes, no);
    return ways + log_beta(a + yes, b + no) - log_beta(a, b);
  }
  const std::size_t at = law.type == known.gamma ? 1 : 0;
  const double factor = power(law.parameters[at])->coefficient;
  const auto own_form = own();
  if (!own_form) return impossible();
  const double x = to_double(*own_form);
  if (law.type == known.poisson) {
    become(DrawKind::Gamma, x, factor);
    return log_gamma(a + x) - log_gamma(a) - log_factorial(x) + a * math::log(b) +
           x * math::log(factor) - (a + x) * math::log(b + factor);
  }
  const double shape = law.type == known.gamma ? to_double(law.parameters[0]) : 1;
  become(DrawKind::Gamma, shape, factor * x);
  const double power_of_x = shape == 1 ? 0 : (shape - 1) * math::log(x);
  return log_gamma(a + shape) - log_gamma(a) - log_gamma(shape) + shape * math::log(factor) +
         power_of_x + a * math::log(b) - (a + shape) * math::log(b + factor * x);
}

}  // namespace chancel
