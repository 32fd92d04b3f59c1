// SPDX-License-Identifier: Apache-2.0
// Checking what a constructor was given. A parameter has a name and a rule; the messages are built
// from both, so that all distributions complain in the same words: "normal: sd must be positive,
// got -1". Numbers may be integers, doubles or ratios everywhere. Sequences of numbers may be
// vectors, lists or any other sequence; a lazy part that has not been realised is asked for through
// the context.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "dist/sequence.hpp"
#include "math/log_space.hpp"
#include "value/dist_object.hpp"
#include "value/number.hpp"

namespace chancel {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Integers up to here are exact as doubles; kernels count in doubles.
inline constexpr double kExactIntegers = 9007199254740992.0;  // 2^53

enum class Rule : std::uint8_t {
  Finite,               // any finite number
  Positive,             // finite and > 0
  NonNegative,          // finite and >= 0
  Probability,          // [0, 1]
  PositiveProbability,  // (0, 1]
  Whole,                // an integer within 2^53
  Count,                // an integer from 0 to 2^53
  Bound,                // any number but NaN
};

struct Parameter {
  const char* name;
  Rule rule;
};

inline bool holds(Rule rule, double x) {
  switch (rule) {
    case Rule::Finite:
      return std::isfinite(x);
    case Rule::Positive:
      return x > 0 && x < kInfinity;
    case Rule::NonNegative:
      return x >= 0 && x < kInfinity;
    case Rule::Probability:
      return x >= 0 && x <= 1;
    case Rule::PositiveProbability:
      return x > 0 && x <= 1;
    case Rule::Whole:
      return std::fabs(x) <= kExactIntegers && x == std::floor(x);
    case Rule::Count:
      return x >= 0 && x <= kExactIntegers && x == std::floor(x);
    case Rule::Bound:
      return !std::isnan(x);
  }
  return false;
}

inline bool read_number(const Value& v, double* out) {
  if (v.tag == Tag::Double) {
    *out = v.d;
    return true;
  }
  if (v.tag == Tag::Int) {
    *out = static_cast<double>(v.i);
    return true;
  }
  if (v.tag != Tag::Ratio && v.tag != Tag::BigInt) return false;
  *out = to_double(v);
  return true;
}

// One parameter: D002 when it is not a number, D001 when it breaks its rule. False = failed in cx.
bool read_parameter(NativeContext& cx, const char* dist, const Parameter& parameter, int argument,
                    const Value& v, double* out);
// A sequence of numbers that all obey the rule; not empty.
bool read_numbers(NativeContext& cx, const char* dist, const Parameter& parameter, int argument,
                  const Value& v, std::vector<double>* out);
// A square matrix, row by row, as nested sequences of finite numbers; *size rows.
bool read_square_matrix(NativeContext& cx, const char* dist, const char* name, int argument,
                        const Value& v, std::vector<double>* out, std::size_t* size);
// "dist: rule, got a and b" for rules about several parameters. Returns nil.
Value fail_together(NativeContext& cx, const char* dist, const char* rule, const Value* args,
                    std::uint32_t count, int argument);
// "dist: name must be rule, got v" (D001). Returns nil.
Value fail_value(NativeContext& cx, const char* dist, const char* name, const char* rule,
                 const Value& v, int argument);
// "dist: name must be wanted, got v" (D002). Returns nil.
Value fail_type(NativeContext& cx, const char* dist, const char* name, const char* wanted,
                const Value& v, int argument);
// "dist is improper: it cannot be drawn from" (D003). Returns nil.
Value fail_improper(NativeContext& cx, const char* dist);

}  // namespace chancel
