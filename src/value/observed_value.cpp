// SPDX-License-Identifier: Apache-2.0
#include "value/observed_value.hpp"

#include <fmt/format.h>

#include <cmath>

#include "value/big_integer.hpp"
#include "value/print.hpp"

namespace chancel {

namespace {

constexpr double kExactIntegers = 9007199254740992.0;  // 2^53

bool gives_zero_and_one(const Dist* d) {
  if (!d->type->bounds) return false;
  double lower = 0, upper = 0;
  d->type->bounds(d, &lower, &upper);
  return lower == 0 && upper == 1;
}

std::optional<Value> whole(const Value& x) {
  if (!x.is(Tag::Double) || x.d != std::floor(x.d) || std::fabs(x.d) > kExactIntegers)
    return std::nullopt;
  return Value::integer(static_cast<std::int64_t>(x.d));
}

}  // namespace

std::optional<Value> equivalent_value(const Dist* d, const Value& x) {
  if (x.is(Tag::BigInt)) {
    const auto small = small_integer(x);
    if (!small) return std::nullopt;
    const Value i = Value::integer(*small);
    return d->type->support == DistSupport::Booleans ? equivalent_value(d, i) : i;
  }
  switch (d->type->support) {
    case DistSupport::Booleans:
      if (x.is(Tag::Int) && (x.i == 0 || x.i == 1)) return Value::boolean(x.i == 1);
      if (x.is(Tag::Double) && (x.d == 0 || x.d == 1)) return Value::boolean(x.d == 1);
      return std::nullopt;
    case DistSupport::Integers:
    case DistSupport::NonNegativeIntegers:
    case DistSupport::FiniteIntegers:
      if (x.is(Tag::Bool) && gives_zero_and_one(d)) return Value::integer(x.truthy() ? 1 : 0);
      return whole(x);
    case DistSupport::FiniteValues:
    case DistSupport::Other:
      if (x.is(Tag::Int)) return Value::real(static_cast<double>(x.i));
      return whole(x);
    default:
      return std::nullopt;
  }
}

double score_equivalent(NativeContext& cx, const Dist* d, const Value& x) {
  const std::optional<Value> same = equivalent_value(d, x);
  if (same) return d->type->log_prob(cx, d, *same);
  if (d->type->support == DistSupport::Booleans && !x.is(Tag::Bool))
    cx.fail(Code::R001,
            fmt::format("observe: {} gives true or false (or 1 and 0), but was observed as {}",
                        d->type->name, describe(x)),
            1, "(condition x) takes any value, with the truth that it has for if");
  return -INFINITY;
}

Value own_value(NativeContext& cx, const Dist* d, const Value& x) {
  const bool lists =
      d->type->support == DistSupport::FiniteValues || d->type->support == DistSupport::Other;
  if (lists && d->type->log_prob(cx, d, x) > -INFINITY) return x;
  const std::optional<Value> same = equivalent_value(d, x);
  return same && d->type->log_prob(cx, d, *same) > -INFINITY ? *same : x;
}

}  // namespace chancel
