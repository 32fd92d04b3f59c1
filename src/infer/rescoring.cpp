// SPDX-License-Identifier: Apache-2.0
// See rescoring.hpp. A user-defined distribution has one score for masses and densities. Which of the two
// it is at x follows from the neighbouring doubles: a density is continuous (at least to one side),
// a mass is isolated.
#include "infer/rescoring.hpp"

#include <cmath>
#include <vector>

#include "value/collections.hpp"

namespace chancel {

namespace {

// Scores further apart than this, relative to their size, are those of a mass and a density.
// Rounding is far below.
constexpr double kJump = 1e-6;
// Numbers in vectors in vectors: what is nested deeper, or has more parts (what is shared counts at each of its
// places), is left alone.
constexpr int kMostNested = 64;
constexpr std::size_t kMostParts = std::size_t{1} << 16;

// x with all its numbers moved to the next double on one side. False: there are none.
bool neighbour(Arena& arena, const Value& x, double side, int depth, std::size_t* parts,
               Value* out) {
  switch (x.tag) {
    case Tag::Int:
    case Tag::Double:
      *out = Value::real(std::nextafter(x.is(Tag::Int) ? static_cast<double>(x.i) : x.d, side));
      return true;
    case Tag::Vector: {
      const auto* v = x.as<Vector>();
      if (depth == kMostNested || v->count > *parts) return false;
      *parts -= v->count;
      std::vector<Value> items;
      bool any = false;
      for (std::uint32_t i = 0; i < v->count; ++i) {
        items.push_back(vector_nth(v, i));
        any = neighbour(arena, items.back(), side, depth + 1, parts, &items.back()) || any;
      }
      if (any) *out = make_vector(arena, items.data(), items.size());
      return any;
    }
    default:
      return false;
  }
}

bool score_at(Executor& machine, const Execution& at, const Value& dist, const Value& x,
              double* log_prob) {
  Execution here = at;
  return machine.score_for(here, dist, x, log_prob);
}

// `yes`: the score at x is close to log_prob, the score of its neighbour. False: a limit was
// reached.
bool goes_on(Executor& machine, const Execution& at, const Value& dist, const Value& x,
             double log_prob, bool* yes) {
  double there;
  if (!machine.probe_for(at, dist, x, &there)) return false;
  *yes = std::fabs(there - log_prob) <= kJump * std::fmax(1, std::fabs(log_prob));
  return true;
}

}  // namespace

bool fit_at(Executor& machine, const Execution& at, const Value& dist, const Value& x, Fit* out) {
  if (dist.is(Tag::Dist)) {
    if (dist.as<Dist>()->type->fit) return machine.fit_for(at, dist, x, out);
    out->part = kUsualPart;
    return score_at(machine, at, dist, x, &out->log_prob);
  }
  out->part = kUsualPart;
  if (!score_at(machine, at, dist, x, &out->log_prob)) return false;
  if (out->log_prob == kLogZero) return true;
  for (const double side : {-INFINITY, INFINITY}) {
    Value next;
    std::size_t parts = kMostParts;
    if (!neighbour(machine.arena(), x, side, 0, &parts, &next)) return true;
    bool same;
    if (!goes_on(machine, at, dist, next, out->log_prob, &same)) return false;
    if (same) return true;
  }
  out->part = kPointMass;
  return true;
}

bool is_on_line(const Value& distribution, const Value& draw) {
  if (!distribution.is(Tag::Dist) || !draw.is(Tag::Double)) return false;
  const DistType* type = distribution.as<Dist>()->type;
  if (type->discrete || !type->log_prob) return false;
  switch (type->support) {
    case DistSupport::Real:
    case DistSupport::Positive:
    case DistSupport::NonNegative:
    case DistSupport::UnitInterval:
    case DistSupport::Interval:
      return true;
    default:
      return false;
  }
}

}  // namespace chancel
