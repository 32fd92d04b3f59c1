// SPDX-License-Identifier: Apache-2.0
// See resample.hpp.
#include "infer/resample.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "base/assert.hpp"
#include "math/lanes.hpp"

namespace chancel {

const char* resampling_name(Resampling scheme) {
  switch (scheme) {
    case Resampling::Multinomial:
      return "multinomial";
    case Resampling::Systematic:
      return "systematic";
    case Resampling::Stratified:
      return "stratified";
    case Resampling::Residual:
      return "residual";
  }
  return "";
}

bool find_resampling(std::string_view name, Resampling* out) {
  for (const Resampling s : {Resampling::Multinomial, Resampling::Systematic,
                             Resampling::Stratified, Resampling::Residual})
    if (name == resampling_name(s)) {
      *out = s;
      return true;
    }
  return false;
}

namespace {
// Up to this many particles a search for each draw is faster than sorted uniforms (and one uniform
// makes one draw, which lets tests enumerate them).
constexpr std::size_t kFewParticles = 24;
// The last particle with weight: rounding in the cumulated sum must not give offspring to one
// without.
std::size_t last_positive(std::span<const double> weights) {
  std::size_t last = weights.size();
  while (last > 1 && !(weights[last - 1] > 0)) --last;
  return last - 1;
}

// Different ones among these, which are in ascending order.
std::uint32_t distinct_of(std::span<const std::uint32_t> ascending, const InSlices& in_slices) {
  std::atomic<std::uint32_t> distinct{ascending.empty() ? 0u : 1u};
  for_pieces(ascending.size(), in_slices, [&](std::size_t, std::size_t begin, std::size_t end) {
    std::uint32_t changes = 0;
    for (std::size_t i = std::max<std::size_t>(begin, 1); i < end; ++i)
      changes += ascending[i] != ascending[i - 1];
    distinct.fetch_add(changes, std::memory_order_relaxed);
  });
  return distinct;
}
}  // namespace

void Resampler::cumulate(std::span<const double> weights) {
  weights_ = weights;
  starts_.resize(pieces_of(weights.size()) + 1);
  for_pieces(weights.size(), *in_slices_, [&](std::size_t p, std::size_t begin, std::size_t end) {
    starts_[p] = RunningSums::piece(weights.subspan(begin, end - begin));
  });
  starts_.back() = 0;
  double sum = 0;
  for (double& start : starts_) sum += std::exchange(start, sum);
  last_ = last_positive(weights);
}

// Cumulated weights of one piece at a time: all of them would be as much memory again to write and
// to read. Particles after the last one with positive weight are never found: its sum is infinite.
class Resampler::Window {
 public:
  explicit Window(const Resampler& of) : of_(of) {}
  std::size_t begin() const { return begin_; }
  std::size_t count() const { return count_; }
  const double* sums() const { return sums_; }
  // Every point below falls to a particle of this piece or one before it.
  double end() const { return count_ > 0 ? sums_[count_ - 1] : -INFINITY; }

  void move_to(std::size_t piece) {
    begin_ = piece * kPiece;
    count_ = std::min(kPiece, of_.weights_.size() - begin_);
    RunningSums::piece(of_.weights_.subspan(begin_, count_), of_.starts_[piece], sums_);
    if (of_.last_ < begin_ + count_)
      std::fill(sums_ + (std::max(of_.last_, begin_) - begin_), sums_ + count_, INFINITY);
    std::fill(sums_ + count_, sums_ + count_ + kGuards, INFINITY);  // a search needs no bounds
  }
  // Forward, to the piece that a point falls to.
  void move_to_point(double point) {
    std::size_t piece = count_ > 0 ? begin_ / kPiece : 0;
    const std::size_t last = of_.last_ / kPiece;
    if (piece < last && of_.starts_[piece + 1] <= point) ++piece;  // most often
    if (piece < last && of_.starts_[piece + 1] <= point)
      piece = static_cast<std::size_t>(
          std::upper_bound(of_.starts_.begin() + static_cast<std::ptrdiff_t>(piece) + 1,
                           of_.starts_.begin() + static_cast<std::ptrdiff_t>(last) + 1, point) -
          of_.starts_.begin() - 1);
    move_to(piece);
  }

 private:
  static constexpr std::size_t kPiece = RunningSums::kPiece, kGuards = 3;
  const Resampler& of_;
  std::size_t begin_ = 0, count_ = 0;
  double sums_[kPiece + kGuards];
};

// Points times scale to the particles whose share of the cumulated weights they fall into. `points` gives those of a
// piece, in ascending order: in the cache, or in an array of its own.
template <class Points>
void Resampler::find(double scale, std::span<std::uint32_t> ancestors, const Points& points) {
  const auto slice = [&](std::size_t first, std::size_t last) {
    constexpr std::size_t kPiece = RunningSums::kPiece;
    double room[kPiece];
    Window window(*this);
    std::size_t at = 0;  // in the window: where the last point fell
    for (std::size_t p = first; p < last; ++p) {
      const std::size_t begin = p * kPiece, count = std::min(kPiece, ancestors.size() - begin);
      const double* const here = points(p, count, room);
      for (std::size_t i = 0; i < count;) {
        if (!(here[i] * scale < window.end())) {
          window.move_to_point(here[i] * scale);
          at = 0;
        }
        const double end = window.end();
        const std::size_t stop = static_cast<std::size_t>(
            std::partition_point(here + i + 1, here + count,
                                 [=](double point) { return point * scale < end; }) -
            here);
        at = find_in(window, at, scale, {here + i, stop - i}, &ancestors[begin + i]);
        i = stop;
      }
    }
  };
  if (*in_slices_)
    (*in_slices_)(pieces_of(ancestors.size()), slice);
  else
    slice(0, pieces_of(ancestors.size()));
}

// Points that all fall to particles of the window, none before `at`.
std::size_t Resampler::find_in(const Window& window, std::size_t at, double scale,
                               std::span<const double> points, std::uint32_t* ancestors) {
  const double* const sums = window.sums();
  const auto before = static_cast<std::uint32_t>(window.begin());
  const auto step = [&](std::size_t& from, std::size_t i) {
    // Most steps are shorter than three: counted without a branch on the data.
    const double point = points[i] * scale;
    const unsigned forward =
        (sums[from] <= point) + (sums[from + 1] <= point) + (sums[from + 2] <= point);
    from += forward;
    if (CHANCEL_UNLIKELY(forward == 3))
      while (sums[from] <= point) ++from;
    ancestors[i] = before + static_cast<std::uint32_t>(from);
  };
  // Each step waits for the one before it: several walks at a time.
  constexpr std::size_t kWalks = 4, kWorthWalking = 64;
  const std::size_t length = points.size() >= kWorthWalking ? points.size() / kWalks : 0;
  if (length > 0) {
    std::size_t walks[kWalks] = {at};
    for (std::size_t w = 1; w < kWalks; ++w)
      walks[w] = static_cast<std::size_t>(
          std::upper_bound(sums + walks[w - 1], sums + window.count(), points[w * length] * scale) -
          sums);
    for (std::size_t k = 0; k < length; ++k)
      for (std::size_t w = 0; w < kWalks; ++w) step(walks[w], w * length + k);
    at = walks[kWalks - 1];
  }
  for (std::size_t i = kWalks * length; i < points.size(); ++i) step(at, i);
  return at;
}

void Resampler::multinomial(std::span<const double> weights, Stream& stream,
                            std::span<std::uint32_t> ancestors) {
  const std::size_t count = ancestors.size();
  if (weights.size() <= kFewParticles) {
    double sum = 0;
    for (const double w : weights) sum += w;
    offspring_.assign(weights.size(), 0);
    for (std::size_t k = 0; k < count; ++k) ++offspring_[draw_index(weights, sum, stream)];
    place(ancestors);
    return;
  }
  // Sorted uniforms are normalised sums of exponentials (one more than there are points), so
  // finding is one merge. Logarithms are negative, and so is their sum.
  cumulate(weights);
  points_.resize(count + 1);
  point_starts_.resize(pieces_of(count + 1));
  if (stream.source()) stream.uniforms_open(points_.data(), count + 1);
  for_pieces(count + 1, *in_slices_, [&](std::size_t p, std::size_t begin, std::size_t end) {
    if (!stream.source()) {
      Stream here = stream;
      here.skip(begin);
      here.uniforms_open(points_.data() + begin, end - begin);
    }
    math::log_all(points_.data() + begin, points_.data() + begin, end - begin);
    point_starts_[p] = RunningSums::piece({points_.data() + begin, end - begin});
  });
  if (!stream.source()) stream.skip(count + 1);
  double sum = 0;
  for (double& start : point_starts_) sum += std::exchange(start, sum);
  find(total() / sum, ancestors, [&](std::size_t p, std::size_t size, double* room) {
    RunningSums::piece({points_.data() + p * RunningSums::kPiece, size}, point_starts_[p], room);
    return room;
  });
}

void Resampler::systematic(std::span<const double> weights, double u,
                           std::span<std::uint32_t> ancestors) {
  cumulate(weights);
  shift_ = u;
  place_points(ancestors, 0, pieces_of(weights.size()));
}

namespace {
// Points u, u+1 ... on the scale where the weights sum to N. Particle i gets the points below its
// cumulated weight that are not taken yet; below x there are ceil(x - u).
class PointsBelow {
 public:
  PointsBelow(std::size_t count, double total, double u)
      : count_(static_cast<std::int64_t>(count)),
        high_(count_ + 1),
        high_u_(static_cast<double>(high_) + u),
        scale_(static_cast<double>(count) / total) {}
  std::int64_t operator()(double cumulated) const {
    // ceil(x) = high - floor(high - x), and floor of a positive is a cast.
    const std::int64_t points = high_ - static_cast<std::int64_t>(high_u_ - cumulated * scale_);
    return std::min(points, count_);  // one more only by rounding
  }

 private:
  std::int64_t count_, high_;
  double high_u_, scale_;
};
}  // namespace

// Written without branches: offspring are as good as random.
void Resampler::place_points(std::span<std::uint32_t> ancestors, std::size_t first,
                             std::size_t pieces) {
  const std::size_t n = weights_.size();
  const PointsBelow below(n, total(), shift_);
  const auto work = [&](std::size_t piece, double* sums) {
    const std::size_t begin = piece * RunningSums::kPiece;
    const std::size_t end = std::min(n, begin + RunningSums::kPiece);
    if (begin > last_) return;
    const std::size_t stop = std::min(end, last_);
    RunningSums::piece(weights_.subspan(begin, stop - begin), starts_[piece], sums);
    std::int64_t taken = begin == 0 ? 0 : below(starts_[piece]);
    // While there is room, two slots are written, whatever the number of offspring.
    const std::int64_t safe = (stop > begin ? below(sums[stop - begin - 1]) : taken) - 2;
    std::size_t i = begin;
    for (; i < stop && taken <= safe; ++i) {
      const std::int64_t upto = below(sums[i - begin]);
      const auto parent = static_cast<std::uint32_t>(i);
      ancestors[static_cast<std::size_t>(taken)] = parent;
      ancestors[static_cast<std::size_t>(taken) + 1] = parent;
      for (std::int64_t k = taken + 2; CHANCEL_UNLIKELY(k < upto); ++k)
        ancestors[static_cast<std::size_t>(k)] = parent;
      taken = upto;
    }
    for (; i < stop; ++i) {
      const std::int64_t upto = below(sums[i - begin]);
      for (; taken < upto; ++taken)
        ancestors[static_cast<std::size_t>(taken)] = static_cast<std::uint32_t>(i);
    }
    if (last_ < end)  // the rest is for the last one with weight
      for (; taken < static_cast<std::int64_t>(n); ++taken)
        ancestors[static_cast<std::size_t>(taken)] = static_cast<std::uint32_t>(last_);
  };
  const auto slice = [&](std::size_t from, std::size_t to) {
    double sums[RunningSums::kPiece];
    for (std::size_t p = first + from; p < first + to; ++p) work(p, sums);
  };
  if (*in_slices_)
    (*in_slices_)(pieces, slice);
  else
    slice(0, pieces);
}

void Resampler::draw_slice(const WeightSlice& slice, Stream& stream,
                           std::span<std::uint32_t> ancestors, const InSlices& in_slices) {
  in_slices_ = &in_slices;
  weights_ = slice.weights;
  shift_ = stream.uniform();
  last_ = slice.last;
  starts_.resize(slice.piece_sums.size() + 1);
  starts_[0] = 0;
  for (std::size_t p = 0; p < slice.piece_sums.size(); ++p)
    starts_[p + 1] = starts_[p] + slice.piece_sums[p];
  const std::size_t first = slice.begin / RunningSums::kPiece;
  place_points(ancestors, first,
               slice.begin < slice.end ? pieces_of(slice.end - first * RunningSums::kPiece) : 0);
  const std::size_t from = first_child(slice.begin, slice.weights);
  const std::size_t to = first_child(slice.end, slice.weights);
  distinct_ = distinct_of(ancestors.subspan(from, to - from), in_slices);
}

std::size_t Resampler::first_child(std::size_t particle, std::span<const double> weights) const {
  if (particle == 0) return 0;
  if (particle > last_) return weights.size();
  const std::size_t piece = particle / RunningSums::kPiece, begin = piece * RunningSums::kPiece;
  double cumulated = starts_[piece];
  if (particle > begin) {
    double sums[RunningSums::kPiece];
    RunningSums::piece(weights.subspan(begin, particle - begin), cumulated, sums);
    cumulated = sums[particle - begin - 1];
  }
  return static_cast<std::size_t>(PointsBelow(weights.size(), total(), shift_)(cumulated));
}

void Resampler::stratified(std::span<const double> weights, Stream& stream,
                           std::span<std::uint32_t> ancestors) {
  cumulate(weights);
  const std::size_t n = weights.size();
  points_.resize(n);
  for (std::size_t k = 0; k < n; ++k) points_[k] = static_cast<double>(k) + stream.uniform();
  find(total() / static_cast<double>(n), ancestors,
       [&](std::size_t p, std::size_t, double*) { return &points_[p * RunningSums::kPiece]; });
}

void Resampler::residual(std::span<const double> weights, Stream& stream,
                         std::span<std::uint32_t> ancestors) {
  const std::size_t n = weights.size();
  double sum = 0;
  for (const double w : weights) sum += w;
  const double scale = static_cast<double>(n) / sum;
  rest_.resize(n);
  std::vector<std::uint32_t> whole(n);
  std::size_t taken = 0;
  double rest_sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double expected = weights[i] * scale;
    const double floor = std::floor(expected);
    whole[i] = static_cast<std::uint32_t>(floor);
    taken += whole[i];
    rest_[i] = expected - floor;
    rest_sum += rest_[i];
  }
  if (taken >= n || !(rest_sum > 0)) {
    // The rests are rounding errors: all expected numbers were whole.
    const std::size_t last = last_positive(weights);
    if (taken < n) whole[last] += static_cast<std::uint32_t>(n - taken);
    for (std::size_t i = last; taken > n; --i) {
      const auto back = static_cast<std::uint32_t>(std::min<std::size_t>(whole[i], taken - n));
      whole[i] -= back;
      taken -= back;
    }
  } else {
    ordered_.resize(n - taken);
    multinomial(rest_, stream, ordered_);
    for (const std::uint32_t parent : ordered_) ++whole[parent];
  }
  offspring_ = std::move(whole);
  place(ancestors);
}

// By numbers of offspring.
void Resampler::place(std::span<std::uint32_t> ancestors) {
  std::size_t slot = 0;
  for (std::size_t i = 0; i < offspring_.size(); ++i)
    for (std::uint32_t k = 0; k < offspring_[i]; ++k)
      ancestors[slot++] = static_cast<std::uint32_t>(i);
}

void Resampler::draw(Resampling scheme, std::span<const double> weights, Stream& stream,
                     std::span<std::uint32_t> ancestors, const InSlices& in_slices) {
  in_slices_ = &in_slices;
  switch (scheme) {
    case Resampling::Multinomial:
      multinomial(weights, stream, ancestors);
      break;
    case Resampling::Systematic:
      systematic(weights, stream.uniform(), ancestors);
      break;
    case Resampling::Stratified:
      stratified(weights, stream, ancestors);
      break;
    case Resampling::Residual:
      residual(weights, stream, ancestors);
      break;
  }
  distinct_ = distinct_of(ancestors, in_slices);
}

void Resampler::draw_conditional(Resampling scheme, std::span<const double> weights, Stream& stream,
                                 std::span<std::uint32_t> ancestors, const InSlices& in_slices) {
  in_slices_ = &in_slices;
  const std::size_t n = weights.size();
  if (scheme == Resampling::Multinomial) {
    ancestors[0] = 0;
    multinomial(weights, stream, ancestors.subspan(1));
    distinct_ = distinct_of(ancestors, in_slices);
    return;
  }
  CHANCEL_ASSERT(scheme == Resampling::Systematic,
                 "no conditional version of this resampling scheme");
  // Chopin & Singh, Algorithm 4. The shift u is drawn from its distribution given that slot 0 got
  // offspring of particle 0 (which is plain uniform weighted by the number of that offspring), then
  // the ancestors are turned by a random cycle among those that put particle 0 into slot 0. The
  // order of slots matters here.
  double sum = 0;
  for (const double w : weights) sum += w;
  const double expected = static_cast<double>(n) * weights[0] / sum;
  double u;
  if (expected <= 1) {
    u = stream.uniform() * expected;
  } else {
    const double whole = std::floor(expected);
    const double rest = expected - whole;
    if (stream.uniform() * expected < rest * (whole + 1))
      u = stream.uniform() * rest;
    else
      u = rest + stream.uniform() * (1 - rest);
  }
  ordered_.resize(n);
  systematic(weights, u, ordered_);
  if (ordered_[0] != 0) {  // by rounding only: u may touch the edge
    ordered_.pop_back();
    ordered_.insert(ordered_.begin(), 0);
  }
  distinct_ = distinct_of(ordered_, in_slices);
  // In order, the first ancestors are 0: starting at any of them puts 0 first.
  const auto zeros = static_cast<std::uint64_t>(
      std::upper_bound(ordered_.begin(), ordered_.end(), 0u) - ordered_.begin());
  const std::size_t start = stream.below(zeros);
  for (std::size_t i = 0; i < n; ++i)
    ancestors[i] = ordered_[i + start < n ? i + start : i + start - n];
}

std::uint32_t draw_index(std::span<const double> weights, double sum, Stream& stream) {
  const double at = stream.uniform() * sum;
  const std::size_t last = last_positive(weights);
  double cumulated = 0;
  for (std::size_t i = 0; i < last; ++i) {
    cumulated += weights[i];
    if (at < cumulated) return static_cast<std::uint32_t>(i);
  }
  return static_cast<std::uint32_t>(last);
}

}  // namespace chancel
