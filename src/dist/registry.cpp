// SPDX-License-Identifier: Apache-2.0
// The lists of distribution.hpp, all made from dists.def. Signatures for docs are put together from
// the parameter names.
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "dist/distribution.hpp"

namespace chancel {

#define CHANCEL_DIST(symbol, optional) extern const DistType* const symbol##_dist;
#define CHANCEL_PROCESS(symbol, optional) extern const ProcessType* const symbol##_process;
#include "dist/dists.def"
#undef CHANCEL_DIST
#undef CHANCEL_PROCESS

namespace {

// "[alpha] [alpha counts]"
template <class Type>
std::string signature_of(const Type& type, std::uint32_t optional) {
  std::string text;
  for (std::uint32_t n = type.parameter_count - optional; n <= type.parameter_count; ++n) {
    if (!text.empty()) text += ' ';
    text += '[';
    for (std::uint32_t i = 0; i < n; ++i) {
      if (i) text += ' ';
      text += type.parameter_names[i];
    }
    text += ']';
  }
  return text;
}

template <class Type>
NativeDef native_of(const Type& type, std::uint32_t optional, std::deque<std::string>& texts) {
  const auto count = type.parameter_count;
  texts.push_back(signature_of(type, optional));
  NativeDef def{};
  // (logistic x) is a function: the prelude chooses by the number of arguments.
  def.name = std::strcmp(type.name, "logistic") == 0 ? "%logistic" : type.name;
  def.min_args = static_cast<std::int16_t>(count - optional);
  def.max_args = static_cast<std::int16_t>(count);
  def.function = type.construct;
  def.flags = kPure;
  def.signature = texts.back().c_str();
  def.doc = type.doc;
  return def;
}

}  // namespace

std::span<const DistType* const> all_distributions() {
  static const DistType* const list[] = {
#define CHANCEL_DIST(symbol, optional) symbol##_dist,
#define CHANCEL_PROCESS(symbol, optional)
#include "dist/dists.def"
#undef CHANCEL_DIST
#undef CHANCEL_PROCESS
  };
  return list;
}

std::span<const ProcessType* const> all_processes() {
  static const ProcessType* const list[] = {
#define CHANCEL_DIST(symbol, optional)
#define CHANCEL_PROCESS(symbol, optional) symbol##_process,
#include "dist/dists.def"
#undef CHANCEL_DIST
#undef CHANCEL_PROCESS
  };
  return list;
}

const DistType* find_distribution(const char* name) {
  for (const DistType* type : all_distributions()) {
    if (std::strcmp(type->name, name) == 0) return type;
  }
  return nullptr;
}

std::span<const NativeDef> distribution_natives() {
  static std::deque<std::string> texts;  // a deque never moves its strings
  static const std::vector<NativeDef> list = [] {
    std::vector<NativeDef> natives;
#define CHANCEL_DIST(symbol, optional)                           \
  natives.push_back(native_of(*symbol##_dist, optional, texts)); \
  natives.back().dist = symbol##_dist;
#define CHANCEL_PROCESS(symbol, optional) \
  natives.push_back(native_of(*symbol##_process, optional, texts));
#include "dist/dists.def"
#undef CHANCEL_DIST
#undef CHANCEL_PROCESS
    return natives;
  }();
  return list;
}

}  // namespace chancel
