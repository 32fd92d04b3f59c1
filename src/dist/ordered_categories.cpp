// SPDX-License-Identifier: Apache-2.0
// (ordered-logistic location cuts) and (ordered-probit location cuts): the integers 0 .. k for k increasing cuts. A logistic
// or normal variable around the location falls between two cuts; the number of those below it is the value.
#include "dist/object.hpp"
#include "dist/parameters.hpp"
#include "dist/wide.hpp"
#include "math/elementary.hpp"
#include "math/normal.hpp"
#include "math/special.hpp"
#include "random/stream.hpp"

namespace chancel {
extern const DistType* const ordered_logistic_dist;
extern const DistType* const ordered_probit_dist;
namespace {

constexpr const char* kNames[] = {"location", "cuts"};

struct LogisticLink {
  static constexpr const char* kName = "ordered-logistic";
  static constexpr const char* kDoc =
      "How many of k increasing cuts lie below a logistic variable around the location: 0 .. k.";
  static const DistType* type() { return ordered_logistic_dist; }

  static double draw(Stream& stream) {
    const double u = stream.uniform_open();
    return math::log(u) - math::log1p(-u);
  }
  // log(F(b) - F(a)) for a < b; either may be infinite. Taken in the tail where both are small.
  static double log_interval(double a, double b) {
    if (a == -kInfinity) return -softplus(-b);
    if (b == kInfinity) return -softplus(a);
    return a + b > 0 ? log_interval(-b, -a)
                     : b + math::log(-math::expm1(a - b)) - softplus(a) - softplus(b);
  }
  static double log_density(double x) {
    return -std::fabs(x) - 2 * math::log1p(math::exp(-std::fabs(x)));
  }

 private:
  static double softplus(double x) {
    return std::fmax(x, 0) + math::log1p(math::exp(-std::fabs(x)));
  }
};

struct ProbitLink {
  static constexpr const char* kName = "ordered-probit";
  static constexpr const char* kDoc =
      "How many of k increasing cuts lie below a normal variable (sd 1) around the location: 0 .. "
      "k.";
  static const DistType* type() { return ordered_probit_dist; }

  static double draw(Stream& stream) { return stream.normal(); }
  static double log_interval(double a, double b) { return log_normal_interval(a, b); }
  static double log_density(double x) { return -0.5 * x * x - kLogSqrtTwoPi; }
};

// numbers: the location, then the cuts.
std::size_t cuts(const Dist* d) { return d->number_count - 1; }
double location(const Dist* d) { return d->numbers()[0]; }
// The edges of category i, relative to the location.
double edge(const Dist* d, std::size_t i) {
  if (i == 0) return -kInfinity;
  return i > cuts(d) ? kInfinity : d->numbers()[i] - location(d);
}
bool category(const Dist* d, const Value& x, std::size_t* i) {
  double number;
  if (!x.is(Tag::Int) && !x.is(Tag::Double)) return false;
  if (!read_number(x, &number) || number != std::floor(number)) return false;
  if (!(number >= 0 && number <= static_cast<double>(cuts(d)))) return false;
  *i = static_cast<std::size_t>(number);
  return true;
}

template <class Link>
Value construct(NativeContext& cx, const Value* args, std::uint32_t) {
  double at;
  std::vector<double> edges;
  if (!read_parameter(cx, Link::kName, {"location", Rule::Finite}, 0, args[0], &at) ||
      !read_numbers(cx, Link::kName, {"cuts", Rule::Finite}, 1, args[1], &edges))
    return Value::nil();
  for (std::size_t i = 1; i < edges.size(); ++i)
    if (!(edges[i - 1] < edges[i]))
      return fail_value(cx, Link::kName, "cuts", "increasing", args[1], 1);
  Dist* d = make_dist(*cx.arena, Link::type(), 2, 1 + edges.size());
  value_at(d, 0) = args[0];
  value_at(d, 1) = args[1];
  d->numbers()[0] = at;
  for (std::size_t i = 0; i < edges.size(); ++i) d->numbers()[1 + i] = edges[i];
  return Value::object(d);
}

template <class Link>
Value sample(NativeContext&, const Dist* d, Stream& stream) {
  const double x = location(d) + Link::draw(stream);
  const double* first = d->numbers() + 1;
  return Value::integer(std::lower_bound(first, first + cuts(d), x) - first);
}
template <class Link>
double log_prob(NativeContext&, const Dist* d, const Value& x) {
  std::size_t i;
  if (!category(d, x, &i)) return kLogZero;
  const double score = Link::log_interval(edge(d, i), edge(d, i + 1));
  return score == score ? score : kLogZero;
}
void bounds(const Dist* d, double* lower, double* upper) {
  *lower = 0;
  *upper = static_cast<double>(cuts(d));
}
Value enumerate(const Dist* d, Arena& arena) {
  std::vector<Value> items(cuts(d) + 1);
  for (std::size_t i = 0; i < items.size(); ++i)
    items[i] = Value::integer(static_cast<std::int64_t>(i));
  return make_vector(arena, items.data(), items.size());
}

bool parameters(const Value* args, std::uint32_t, std::vector<Value>* out) {
  return collect_number(args[0], out) && collect_vector(args[1], out);
}
// With respect to the location, then the cuts: the density at an edge over the mass between the edges.
template <class Link>
void gradient(NativeContext&, const Dist* d, const Value& x, double* out) {
  std::fill(out, out + 1 + cuts(d), 0.0);
  std::size_t i;
  if (!category(d, x, &i)) return;
  const double a = edge(d, i), b = edge(d, i + 1);
  const double score = Link::log_interval(a, b);
  const double lower = std::isfinite(a) ? -math::exp(Link::log_density(a) - score) : 0;
  const double upper = std::isfinite(b) ? math::exp(Link::log_density(b) - score) : 0;
  out[0] = -(lower + upper);
  if (i > 0) out[i] = lower;
  if (i < cuts(d)) out[i + 1] = upper;
}
template <class Link>
constexpr WideDensity kDensity{parameters, collect_nothing, gradient<Link>, no_numbers};

template <class Link>
constexpr DistType kType = [] {
  DistType t{};
  t.name = Link::kName;
  t.parameter_names = kNames;
  t.parameter_count = 2;
  t.support = DistSupport::FiniteIntegers;
  t.discrete = true;
  t.doc = Link::kDoc;
  t.construct = construct<Link>;
  t.sample = sample<Link>;
  t.log_prob = log_prob<Link>;
  t.bounds = bounds;
  t.enumerate = enumerate;
  t.wide_density = &kDensity<Link>;
  return t;
}();

}  // namespace

const DistType* const ordered_logistic_dist = &kType<LogisticLink>;
const DistType* const ordered_probit_dist = &kType<ProbitLink>;

}  // namespace chancel
