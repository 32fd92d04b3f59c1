// SPDX-License-Identifier: Apache-2.0
// See options.hpp.
#include "infer/options.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/assert.hpp"
#include "fmt/format.h"
#include "infer/engine.hpp"
#include "value/number.hpp"
#include "value/object.hpp"
#include "value/print.hpp"

namespace chancel {

const char* family_name(EngineFamily family) {
  static constexpr const char* kNames[] = {"independent", "particles", "particle-chain",
                                           "single-site", "partition", "walk",
                                           "gradient",    "mode",      "list"};
  return kNames[static_cast<std::size_t>(family)];
}

OptionDef integer_option(const char* name, double otherwise, double least, const char* doc,
                         double most, const char* otherwise_text) {
  return {name, OptionDef::Type::Integer, otherwise, least, most, {}, doc, otherwise_text};
}
OptionDef real_option(const char* name, double otherwise, double least, double most,
                      const char* doc) {
  return {name, OptionDef::Type::Real, otherwise, least, most, {}, doc};
}
OptionDef word_option(const char* name, std::vector<const char*> words, const char* doc) {
  return {name, OptionDef::Type::Word, 0, 0, 0, std::move(words), doc};
}
OptionDef flag_option(const char* name, const char* doc) {
  return {name, OptionDef::Type::Flag, 0, 0, 0, {"false", "true"}, doc};
}
OptionDef delayed_option(bool otherwise) {
  OptionDef option = flag_option(
      "delayed", "delay draws until they are needed and sum out what is conjugate to them");
  if (otherwise) option.words = {"true", "false"};
  return option;
}
OptionDef hoist_option() {
  return flag_option("hoist", "observes as early and draws as late as the distribution allows");
}
OptionDef places_option(const char* name, std::vector<const char*> words, const char* doc) {
  OptionDef o = word_option(name, std::move(words), doc);
  o.or_places = true;
  return o;
}
OptionDef part_option(const char* name, const char* part_of, const char* otherwise_text,
                      const char* doc) {
  return {name, OptionDef::Type::Integer, 0, 1, kMostInteger, {}, doc, otherwise_text, part_of};
}

namespace {

std::string range_text(const OptionDef& o, const char* number) {
  if (o.part_of) return fmt::format("{} from 1 to {} - 1", number, o.part_of);
  if (o.least == kAboveZero) return fmt::format("{} > 0", number);
  const double bound = o.type == OptionDef::Type::Integer ? kMostInteger : kMostReal;
  if (o.most < bound) return fmt::format("{} from {} to {}", number, o.least, o.most);
  return o.least == -kMostReal ? number : fmt::format("{} >= {}", number, o.least);
}

std::string words_text(const OptionDef& o, const char* between) {
  std::string out;
  for (const char* w : o.words) out += fmt::format("{}:{}", out.empty() ? "" : between, w);
  return out;
}

}  // namespace

const char* OptionDef::type_name() const {
  static constexpr const char* kNames[] = {"integer", "number", "word", "flag"};
  return kNames[static_cast<std::size_t>(type)];
}

std::string OptionDef::default_text() const {
  if (otherwise_text) return otherwise_text;
  if (type == Type::Flag) return words.front();
  return type == Type::Word ? fmt::format(":{}", words.front()) : fmt::format("{}", otherwise);
}

std::string OptionDef::values_text() const {
  if (type == Type::Flag) return fmt::format("true or false ({})", default_text());
  return fmt::format("{} ({})",
                     type == Type::Word
                         ? words_text(*this, " ") + (or_places ? " [id or line ...]" : "")
                         : range_text(*this, type_name()),
                     default_text());
}

std::string OptionDef::wanted_text() const {
  if (type == Type::Flag) return "true or false";
  if (type == Type::Word)
    return "one of " + words_text(*this, ", ") +
           (or_places ? ", or a vector of ids and line numbers" : "");
  return range_text(*this, type == Type::Integer ? "an integer" : "a number");
}

const EngineOptions::Entry& EngineOptions::find(std::string_view name) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& e) { return name == e.def->name; });
  CHANCEL_ASSERT(found != entries_.end(), "an engine reads an option that it does not list");
  return *found;
}

std::uint64_t EngineOptions::integer(std::string_view name) const {
  const double x = find(name).number;
  return std::isinf(x) ? ~std::uint64_t{0} : static_cast<std::uint64_t>(x);
}
bool EngineOptions::asks_for(std::string_view name) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const Entry& e) { return name == e.def->name && e.word == "true"; });
}
double EngineOptions::real(std::string_view name) const { return find(name).number; }
const std::string& EngineOptions::word(std::string_view name) const { return find(name).word; }

}  // namespace chancel
