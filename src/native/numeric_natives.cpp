// SPDX-License-Identifier: Apache-2.0
// Functions of plain numbers, written out: the same values as library/arithmetic.cpp and math.cpp give.
// Where a guard fails the interpreter calls the function itself, and knows what to say.
#include <fmt/format.h>

#include <cstring>

#include "native/translator.hpp"

namespace chancel::native {

namespace {

struct Numeric {
  const char* name;
  const char* takes;  // i an integer, d a double, r either as a double
  Type gives;
  const char* expression;
  const char* guard = nullptr;
};

constexpr const char* kCanDivide = "{1} != 0 && ({1} != -1 || {0} != INT64_MIN)";

constexpr Numeric kNumeric[] = {
    {"quot", "ii", Type::Int, "{0} / {1}", kCanDivide},
    {"rem", "ii", Type::Int, "{0} % {1}", kCanDivide},
    {"mod", "ii", Type::Int,
     "{0} % {1} + ({0} % {1} != 0 && ({0} % {1} < 0) != ({1} < 0) ? {1} : 0)", kCanDivide},
    {"max", "ii", Type::Int, "{0} > {1} ? {0} : {1}"},
    {"min", "ii", Type::Int, "{0} < {1} ? {0} : {1}"},
    {"max", "dd", Type::Double, "{0} != {0} || {0} > {1} ? {0} : {1}"},
    {"min", "dd", Type::Double, "{0} != {0} || {0} < {1} ? {0} : {1}"},
    {"abs", "i", Type::Int, "{0} < 0 ? -{0} : {0}", "{0} != INT64_MIN"},
    {"abs", "d", Type::Double, "__builtin_fabs({0})"},
    {"even?", "i", Type::Bool, "({0} & 1) == 0"},
    {"odd?", "i", Type::Bool, "({0} & 1) != 0"},
    {"zero?", "i", Type::Bool, "{0} == 0"},
    {"zero?", "d", Type::Bool, "{0} == 0"},
    {"pos?", "i", Type::Bool, "{0} > 0"},
    {"pos?", "d", Type::Bool, "{0} > 0"},
    {"neg?", "i", Type::Bool, "{0} < 0"},
    {"neg?", "d", Type::Bool, "{0} < 0"},
    {"int", "i", Type::Int, "{0}", "{0} == (int32_t){0}"},
    {"long", "i", Type::Int, "{0}"},
    {"int", "d", Type::Int, "(int64_t){0}", "{0} > -0x1p31 && {0} < 0x1p31"},
    {"long", "d", Type::Int, "(int64_t){0}", "{0} > -0x1p62 && {0} < 0x1p62"},
    {"double", "r", Type::Double, "{0}"},
    {"bit-and", "ii", Type::Int, "{0} & {1}"},
    {"bit-or", "ii", Type::Int, "{0} | {1}"},
    {"bit-xor", "ii", Type::Int, "{0} ^ {1}"},
    {"exp", "r", Type::Double, "chancel_exp(b->exps, {0})"},
    {"log", "r", Type::Double, "chancel_log(b->logs, {0})"},
    {"sqrt", "r", Type::Double, "__builtin_sqrt({0})"},
    {"/", "d", Type::Double, "1.0 / {0}"},
};

bool accepts(char kind, const AbstractValue& k) {
  return kind == 'i' ? k.type == Type::Int : kind == 'd' ? k.type == Type::Double : k.is_number();
}

}  // namespace

AbstractValue Translator::simple_native(const NativeDef* native,
                                        const std::vector<AbstractValue>& a, bool* done) {
  *done = false;
  if (a.empty() || a.size() > 2) return {};
  for (const Numeric& f : kNumeric) {
    if (std::strlen(f.takes) != a.size() || std::strcmp(native->name, f.name) != 0) continue;
    bool fits = true, uniform = true, constant = true;
    std::string texts[2];
    for (std::size_t i = 0; i < a.size(); ++i) {
      fits = fits && accepts(f.takes[i], a[i]);
      uniform = uniform && a[i].is_uniform();
      constant = constant && a[i].is_constant();
      if (fits) texts[i] = f.takes[i] == 'r' ? writer_->real(a[i]) : writer_->number(a[i]);
    }
    if (!fits || constant) continue;  // what is constant was worked out, or is the interpreter's
    if (f.guard) writer_->guard(uniform, fmt::format(fmt::runtime(f.guard), texts[0], texts[1]));
    *done = true;
    return writer_->compute(f.gives, uniform,
                            fmt::format(fmt::runtime(f.expression), texts[0], texts[1]));
  }
  return {};
}

}  // namespace chancel::native
