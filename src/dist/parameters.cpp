// SPDX-License-Identifier: Apache-2.0
#include "dist/parameters.hpp"

#include <fmt/format.h>

#include "diag/diagnostic.hpp"
#include "value/argument_names.hpp"
#include "value/collections.hpp"
#include "value/memory_charge.hpp"
#include "value/print.hpp"

namespace chancel {
namespace {

const char* words(Rule rule) {
  switch (rule) {
    case Rule::Finite:
      return "finite";
    case Rule::Positive:
      return "positive";
    case Rule::NonNegative:
      return "zero or more";
    case Rule::Probability:
      return "between 0 and 1";
    case Rule::PositiveProbability:
      return "above 0 and at most 1";
    case Rule::Whole:
      return "a whole number";
    case Rule::Count:
      return "a whole number, zero or more";
    case Rule::Bound:
      return "a number";
  }
  return "";
}

}  // namespace

Value fail_value(NativeContext& cx, const char* dist, const char* name, const char* rule,
                 const Value& v, int argument) {
  return cx.fail(Code::D001, fmt::format("{}: {} must be {}, got {}", dist, name, rule, show(v)),
                 argument);
}

Value fail_type(NativeContext& cx, const char* dist, const char* name, const char* wanted,
                const Value& v, int argument) {
  return cx.fail(Code::D002,
                 fmt::format("{}: {} must be {}, got {}", dist, name, wanted, describe(v)),
                 argument, draw_hint(v));
}

Value fail_together(NativeContext& cx, const char* dist, const char* rule, const Value* args,
                    std::uint32_t count, int argument) {
  std::string got;
  for (std::uint32_t i = 0; i < count; ++i) got += (i ? " and " : "") + show(args[i]);
  return cx.fail(Code::D001, fmt::format("{}: {}, got {}", dist, rule, got), argument);
}

bool read_parameter(NativeContext& cx, const char* dist, const Parameter& parameter, int argument,
                    const Value& v, double* out) {
  if (!read_number(v, out)) {
    fail_type(cx, dist, parameter.name, "a number", v, argument);
    return false;
  }
  if (!holds(parameter.rule, *out)) {
    fail_value(cx, dist, parameter.name, words(parameter.rule), v, argument);
    return false;
  }
  return true;
}

bool read_numbers(NativeContext& cx, const char* dist, const Parameter& parameter, int argument,
                  const Value& v, std::vector<double>* out) {
  if (!is_sequential(v) && !v.is_nil()) {
    fail_type(cx, dist, parameter.name, "a sequence of numbers", v, argument);
    return false;
  }
  std::size_t index = out->size();
  const std::size_t start = index;
  MemoryCharge kept(cx.arena->heap());  // of a sequence that may have no end
  for (SeqCursor it(cx, v, dist, argument); it.next(); ++index) {
    if (out->size() == out->capacity()) kept.set(3 * out->size() * sizeof(double));
    double x;
    if (!read_number(it.item(), &x)) {
      fail_type(cx, dist, fmt::format("{}[{}]", parameter.name, index - start).c_str(), "a number",
                it.item(), argument);
      return false;
    }
    if (!holds(parameter.rule, x)) {
      fail_value(cx, dist, fmt::format("{}[{}]", parameter.name, index - start).c_str(),
                 words(parameter.rule), it.item(), argument);
      return false;
    }
    out->push_back(x);
  }
  if (!cx.ok()) return false;
  if (index == start) {
    cx.fail(Code::D001, fmt::format("{}: {} must not be empty", dist, parameter.name), argument);
    return false;
  }
  return true;
}

bool read_square_matrix(NativeContext& cx, const char* dist, const char* name, int argument,
                        const Value& v, std::vector<double>* out, std::size_t* size) {
  if (!is_sequential(v)) {
    fail_type(cx, dist, name, "a matrix (a sequence of rows)", v, argument);
    return false;
  }
  out->clear();
  std::size_t rows = 0;
  std::size_t columns = 0;
  for (SeqCursor it(cx, v, dist, argument); it.next(); ++rows) {
    const std::size_t before = out->size();
    if (!read_numbers(cx, dist, {name, Rule::Finite}, argument, it.item(), out)) return false;
    if (rows == 0) columns = out->size();
    if (out->size() - before != columns) {
      cx.fail(Code::D001,
              fmt::format("{}: {} must have rows of equal length, got {} and {}", dist, name,
                          columns, out->size() - before),
              argument);
      return false;
    }
  }
  if (!cx.ok()) return false;
  if (rows == 0 || rows != columns) {
    cx.fail(Code::D001,
            fmt::format("{}: {} must be square, got {} rows of {}", dist, name, rows, columns),
            argument);
    return false;
  }
  *size = rows;
  return true;
}

Value fail_improper(NativeContext& cx, const char* dist) {
  return cx.fail(Code::D003, fmt::format("{} is improper: it cannot be drawn from", dist), -1,
                 "use engine nuts, or a proper prior");
}

}  // namespace chancel
