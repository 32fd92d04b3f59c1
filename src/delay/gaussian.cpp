// SPDX-License-Identifier: Apache-2.0
// See gaussian.hpp. Record of a block: sizes, scale, components, parents, then offset, slope and
// covariance by columns.
#include "delay/gaussian.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "base/planted.hpp"
#include "math/elementary.hpp"
#include "math/log_space.hpp"
#include "math/special.hpp"

namespace chancel {

namespace {

void symmetrise(SmallMatrix& m) {
  const SmallMatrix t = m.transpose();
  m = (m + t) / 2;
}

int position(const GaussianBlock& b, DrawId component) {
  return static_cast<int>(std::find(b.components.begin(), b.components.end(), component) -
                          b.components.begin());
}

// The slope of a child over all components of its parent's block.
SmallMatrix widened(const GaussianBlock& child, const GaussianBlock& parent) {
  SmallMatrix slope = SmallMatrix::Zero(child.size(), parent.size());
  for (std::size_t k = 0; k < child.parents.size(); ++k)
    slope.col(position(parent, child.parents[k])) += child.slope.col(static_cast<int>(k));
  return slope;
}

// What is left of a covariance when slope * x + noise is known, in Joseph's form: the plain
// difference loses all digits where a vague draw is seen sharply.
SmallMatrix left_over(const SmallMatrix& covariance, const SmallMatrix& gain,
                      const SmallMatrix& slope, const SmallMatrix& noise) {
  const SmallMatrix rest =
      SmallMatrix::Identity(covariance.rows(), covariance.cols()) - gain * slope;
  SmallMatrix left = rest * covariance * rest.transpose() + gain * noise * gain.transpose();
  symmetrise(left);
  return left;
}

}  // namespace

double condition_scale(DrawStore& store, DrawId scale, double count, double log_determinant,
                       double square) {
  const double shape = store.number(scale, 0);
  const double rate = store.number(scale, 1);
  if (!planted(Mistake::ScaleNotConditioned))
    store.set(scale, DrawKind::Gamma,
              {Value::real(shape + count / 2), Value::real(rate + square / 2),
               store.field(scale, 2), store.field(scale, 3)});
  return log_gamma(shape + count / 2) - log_gamma(shape) -
         0.5 * (count * (kLogTwoPi + math::log(rate)) + log_determinant) -
         (shape + count / 2) * math::log1p(square / (2 * rate));
}

void Gaussians::save(DrawId id, const GaussianBlock& b) {
  std::vector<Value> fields;
  fields.reserve(3 + b.components.size() + b.parents.size() +
                 static_cast<std::size_t>(b.offset.size() + b.slope.size() + b.covariance.size()));
  fields.push_back(Value::integer(b.size()));
  fields.push_back(Value::integer(static_cast<std::int64_t>(b.parents.size())));
  fields.push_back(link_to(b.scale));
  for (const DrawId c : b.components) fields.push_back(link_to(c));
  for (const DrawId c : b.parents) fields.push_back(link_to(c));
  const auto numbers = [&](const double* from, Eigen::Index count) {
    for (Eigen::Index i = 0; i < count; ++i) fields.push_back(Value::real(from[i]));
  };
  numbers(b.offset.data(), b.offset.size());
  numbers(b.slope.data(), b.slope.size());
  numbers(b.covariance.data(), b.covariance.size());
  store_.set(id, DrawKind::Block, fields);
}

DrawId Gaussians::add(const GaussianBlock& block, const DrawAddress& place,
                      std::vector<DrawId>* components) {
  const DrawId id = store_.add(DrawKind::Block, {});
  GaussianBlock made = block;
  made.components.clear();
  for (Eigen::Index i = 0; i < block.offset.size(); ++i)
    made.components.push_back(
        store_.add(DrawKind::Component, {link_to(id), Value::integer(place.site), place.id}));
  save(id, made);
  *components = made.components;
  return id;
}

DrawId Gaussians::scale_of(DrawId block) const {
  const DrawId scale = store_.link(block, 2);
  return scale && store_.kind(scale) == DrawKind::Known ? 0 : scale;
}

DrawId Gaussians::parent_of(DrawId block) const {
  const DrawRecord r = store_.record(block);
  const auto d = static_cast<std::size_t>(r.field(0).i);
  const auto p = static_cast<std::size_t>(r.field(1).i);
  for (std::size_t i = 3 + d; i < 3 + d + p; ++i)
    if (const DrawRecord parent = store_.record(r.link(i)); parent.kind() != DrawKind::Known)
      return parent.link(0);
  return 0;
}

GaussianBlock Gaussians::load(DrawId id) const {
  GaussianBlock b;
  const DrawRecord r = store_.record(id);
  const auto d = static_cast<int>(r.field(0).i);
  const auto p = static_cast<int>(r.field(1).i);
  b.scale = r.link(2);
  std::size_t at = 3;
  b.components.reserve(static_cast<std::size_t>(d));
  for (int i = 0; i < d; ++i) b.components.push_back(r.link(at++));
  const std::size_t parents = at;
  at += static_cast<std::size_t>(p);
  const auto numbers = [&](double* to, int count) {
    for (int i = 0; i < count; ++i) to[i] = r.number(at++);
  };
  b.offset.resize(d);
  numbers(b.offset.data(), d);
  b.slope.resize(d, p);
  numbers(b.slope.data(), d * p);
  b.covariance.resize(d, d);
  numbers(b.covariance.data(), d * d);
  int unknown = 0;
  for (int k = 0; k < p; ++k) {
    const DrawId id_of_parent = r.link(parents + static_cast<std::size_t>(k));
    const DrawRecord parent = store_.record(id_of_parent);
    if (parent.kind() == DrawKind::Known) {
      b.offset += b.slope.col(k) * parent.number(0);
    } else {
      b.parents.push_back(id_of_parent);
      if (unknown < k) b.slope.col(unknown) = b.slope.col(k).eval();
      ++unknown;
    }
  }
  b.slope.conservativeResize(d, unknown);
  if (b.scale && store_.kind(b.scale) == DrawKind::Known) {
    if (!planted(Mistake::ScaleKeptAfterDraw)) b.covariance /= store_.number(b.scale, 0);
    b.scale = 0;
  }
  return b;
}

void Gaussians::turn_round(DrawId parent_id, DrawId child_id) {
  GaussianBlock parent = load(parent_id);
  GaussianBlock child = load(child_id);
  const SmallMatrix slope = widened(child, parent);
  const SmallMatrix cross = parent.covariance * slope.transpose();
  SmallMatrix marginal = slope * cross + child.covariance;
  symmetrise(marginal);
  const SmallMatrix gain = marginal.llt().solve(cross.transpose()).transpose();
  const SmallVector mean = slope * parent.offset + child.offset;

  parent.covariance = left_over(parent.covariance, gain, slope, child.covariance);
  child.offset = mean;
  child.covariance = marginal;
  child.parents.clear();
  child.slope.resize(child.size(), 0);

  parent.offset -= gain * mean;
  parent.slope = gain;
  parent.parents = child.components;
  if (!planted(Mistake::EdgeHalfTurned)) save(parent_id, parent);
  save(child_id, child);
}

GaussianBlock Gaussians::root_at(DrawId block) {
  if (!parent_of(block)) return load(block);
  std::vector<DrawId> way{block};
  while (const DrawId parent = parent_of(way.back())) way.push_back(parent);
  for (std::size_t i = way.size() - 1; i > 0; --i) turn_round(way[i], way[i - 1]);
  return load(block);
}

void Gaussians::absorb(DrawId root_id, DrawId child_id) {
  const GaussianBlock root = load(root_id);
  const GaussianBlock child = load(child_id);
  const int d = root.size();
  const int e = child.size();
  GaussianBlock both;
  both.scale = root.scale;
  both.components = root.components;
  both.components.insert(both.components.end(), child.components.begin(), child.components.end());
  const SmallMatrix slope = widened(child, root);
  const SmallMatrix cross = root.covariance * slope.transpose();
  both.offset.resize(d + e);
  both.offset.head(d) = root.offset;
  both.offset.tail(e) = slope * root.offset + child.offset;
  both.slope.resize(d + e, 0);
  both.covariance.resize(d + e, d + e);
  both.covariance.topLeftCorner(d, d) = root.covariance;
  both.covariance.topRightCorner(d, e) = cross;
  both.covariance.bottomLeftCorner(e, d) = cross.transpose();
  both.covariance.bottomRightCorner(e, e) = slope * cross + child.covariance;
  symmetrise(both.covariance);
  for (const DrawId c : child.components)
    store_.set(c, DrawKind::Component, {link_to(root_id), store_.field(c, 1), store_.field(c, 2)});
  save(root_id, both);
}

std::optional<DrawId> Gaussians::join(const std::vector<DrawId>& components) {
  const DrawId into = block_of(components.front());
  if (parent_of(into)) root_at(into);
  for (const DrawId c : components) {
    const DrawId block = block_of(c);
    if (block == into) continue;
    // The blocks from there to the root: all of them, when that is `into`.
    std::vector<DrawId> way{block};
    int size = load(block).size();
    while (const DrawId parent = parent_of(way.back())) {
      way.push_back(parent);
      size += load(parent).size();
    }
    const bool one_tree = way.back() == into;
    if (!one_tree) {
      root_at(block);
      way = {block, into};
      size = load(block).size() + load(into).size();
    }
    if (size > kMostJoint) return std::nullopt;
    for (std::size_t i = way.size() - 1; i-- > 0;) absorb(into, way[i]);
  }
  return into;
}

double Gaussians::condition(DrawId root, const SmallMatrix& slope, const SmallVector& mean_offset,
                            const SmallMatrix& noise, const SmallVector& value) {
  GaussianBlock b = load(root);
  const SmallMatrix cross = b.covariance * slope.transpose();
  SmallMatrix spread = slope * cross + noise;
  symmetrise(spread);
  const SmallVector error = value - slope * b.offset - mean_offset;
  const auto factor = spread.llt();
  const SmallVector weighted = factor.solve(error);
  const auto m = static_cast<double>(value.size());
  double log_determinant = 0;
  for (Eigen::Index i = 0; i < value.size(); ++i)
    log_determinant += 2 * math::log(factor.matrixLLT()(i, i));
  const double square = error.dot(weighted);
  double log_prob = -0.5 * (m * kLogTwoPi + log_determinant + square);
  if (b.scale) log_prob = condition_scale(store_, b.scale, m, log_determinant, square);
  b.offset += cross * weighted;
  const SmallMatrix gain = factor.solve(cross.transpose()).transpose();
  b.covariance = left_over(b.covariance, gain, slope, noise);
  save(root, b);
  return log_prob;
}

void Gaussians::marginal(DrawId component, double* mean, double* variance) {
  const GaussianBlock b = root_at(block_of(component));
  const int i = position(b, component);
  *mean = b.offset[i];
  *variance = b.covariance(i, i);
}

void Gaussians::set_value(DrawId component, double value) {
  const DrawId id = block_of(component);
  const GaussianBlock b = root_at(id);
  const int at = position(b, component);
  const SmallVector gain = b.covariance.col(at) / b.covariance(at, at);
  GaussianBlock rest;
  rest.offset.resize(b.size() - 1);
  rest.slope.resize(b.size() - 1, 0);
  rest.covariance.resize(b.size() - 1, b.size() - 1);
  std::vector<int> kept;
  for (int i = 0; i < b.size(); ++i)
    if (i != at) kept.push_back(i);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    rest.components.push_back(b.components[static_cast<std::size_t>(kept[i])]);
    rest.offset[static_cast<int>(i)] = b.offset[kept[i]];
    if (!planted(Mistake::MeanNotShifted))
      rest.offset[static_cast<int>(i)] += gain[kept[i]] * (value - b.offset[at]);
    for (std::size_t k = 0; k < kept.size(); ++k)
      rest.covariance(static_cast<int>(i), static_cast<int>(k)) =
          b.covariance(kept[i], kept[k]) - gain[kept[i]] * b.covariance(at, kept[k]);
  }
  symmetrise(rest.covariance);
  save(id, rest);
  store_.set_known(component, Value::real(value));
}

}  // namespace chancel
