// SPDX-License-Identifier: Apache-2.0
// See delayed_draws.hpp: normal and multivariate normal distributions whose means are affine in normal
// draws, sampled and observed.
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "delay/delayed_draws.hpp"
#include "delay/known_distributions.hpp"
#include "math/elementary.hpp"
#include "value/number.hpp"

namespace chancel {

namespace {

// Terms of several forms over one list of components.
SmallMatrix slopes(std::span<const AffineForm> forms, const std::vector<DrawId>& components) {
  SmallMatrix m =
      SmallMatrix::Zero(static_cast<int>(forms.size()), static_cast<int>(components.size()));
  for (std::size_t i = 0; i < forms.size(); ++i)
    for (const AffineTerm& t : forms[i].terms)
      m(static_cast<int>(i),
        static_cast<int>(std::find(components.begin(), components.end(), t.component) -
                         components.begin())) += t.coefficient;
  return m;
}

// The components of all forms, each once, as the terms of one form, whose coefficients are not
// used.
AffineForm together(const std::vector<AffineForm>& forms) {
  AffineForm all;
  for (const AffineForm& f : forms)
    for (const AffineTerm& t : f.terms)
      if (std::none_of(all.terms.begin(), all.terms.end(),
                       [&](const AffineTerm& o) { return o.component == t.component; }))
        all.terms.push_back(t);
  return all;
}

}  // namespace

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

bool DelayedDraws::put_off_normal(const AffineForm& mean, const Value& sd, const DrawAddress& place,
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

bool DelayedDraws::mvn_parameters(const DistType* type, const std::vector<Value>& given,
                                  std::vector<Value>* mean, SmallMatrix* covariance) {
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

bool DelayedDraws::put_off_mvn(const Distribution& distribution, const DrawAddress& place,
                               Value* out) {
  std::vector<Value> mean;
  GaussianBlock b;
  if (!mvn_parameters(distribution.type, distribution.parameters, &mean, &b.covariance))
    return false;
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

std::optional<double> DelayedDraws::observe_normal(const Distribution& distribution, double x) {
  if (!std::isfinite(x)) return std::nullopt;
  const auto mean = affine(distribution.parameters[0]);
  const auto p = power(distribution.parameters[1]);
  if (!mean || (!p && !distribution.parameters[1].is_number()) || (p && p->exponent != -0.5))
    return std::nullopt;
  const double deviation = p ? p->coefficient : to_double(distribution.parameters[1]);
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

std::optional<double> DelayedDraws::observe_mvn(const Distribution& distribution, const Value& x) {
  std::vector<Value> mean;
  SmallMatrix noise;
  std::vector<Value> numbers;
  if (!mvn_parameters(distribution.type, distribution.parameters, &mean, &noise) ||
      !distribution.type->wide_density->numbers(x, &numbers) || numbers.size() != mean.size())
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

}  // namespace chancel
