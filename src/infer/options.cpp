// SPDX-License-Identifier: Apache-2.0
// See options.hpp.
#include "infer/options.hpp"

#include <cmath>
#include <limits>

#include "fmt/format.h"
#include "value/number.hpp"
#include "value/print.hpp"

namespace chancel {

const Value* OptionReader::find(const char* name) const {
  for (const OptionValue& o : options_)
    if (o.name == name) return &o.value;
  return nullptr;
}

void OptionReader::bad(const char* name, const std::string& wanted, const Value& got) {
  ok_ = false;
  sink_.error(Code::I002, {},
              fmt::format("{}: option :{} must be {}, got {}", engine_, name, wanted, show(got)));
}

std::uint64_t OptionReader::integer(const char* name, std::uint64_t otherwise, std::uint64_t least,
                                    std::uint64_t most) {
  const Value* v = find(name);
  if (!v) return otherwise;
  double x = std::numeric_limits<double>::quiet_NaN();
  if (v->is(Tag::Int)) x = static_cast<double>(v->i);
  if (v->is(Tag::Double)) x = v->d;
  if (!(x >= static_cast<double>(least) && x <= static_cast<double>(most)) || x != std::floor(x)) {
    bad(name,
        most < kMostInteger ? fmt::format("an integer from {} to {}", least, most)
                            : fmt::format("an integer >= {}", least),
        *v);
    return otherwise;
  }
  return static_cast<std::uint64_t>(x);
}

double OptionReader::real(const char* name, double otherwise, double least, double most) {
  const Value* v = find(name);
  if (!v) return otherwise;
  double x = std::numeric_limits<double>::quiet_NaN();
  if (v->is(Tag::Int)) x = static_cast<double>(v->i);
  if (v->is(Tag::Double)) x = v->d;
  if (v->is(Tag::Ratio)) x = to_double(*v);
  if (!(x >= least && x <= most)) {
    bad(name,
        std::isinf(most) ? fmt::format("a number >= {}", least)
                         : fmt::format("a number from {} to {}", least, most),
        *v);
    return otherwise;
  }
  return x;
}

bool OptionReader::boolean(const char* name, bool otherwise) {
  const Value* v = find(name);
  if (!v) return otherwise;
  if (!v->is(Tag::Bool)) {
    bad(name, "true or false", *v);
    return otherwise;
  }
  return v->truthy();
}

std::string OptionReader::word(const char* name, const char* otherwise,
                               std::initializer_list<const char*> words) {
  const Value* v = find(name);
  if (!v) return otherwise;
  std::string text;
  if (v->is(Tag::Keyword) || v->is(Tag::Symbol)) text = v->name->full;
  if (v->is(Tag::String)) text.assign(v->as<String>()->text, v->as<String>()->length);
  if (!text.empty() && text[0] == ':') text.erase(0, 1);
  std::string list;
  for (const char* w : words) {
    if (text == w) return text;
    list += (list.empty() ? ":" : ", :") + std::string(w);
  }
  bad(name, "one of " + list, *v);
  return otherwise;
}

}  // namespace chancel
