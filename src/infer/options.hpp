// SPDX-License-Identifier: Apache-2.0
// The options of engines. Each engine lists its own (OptionDef): name, type, default, range, text.
// What a program, the command line or the public API gives is checked against that list, once
// (engines/check_options.hpp), and becomes EngineOptions; documentation and run.json are made from
// the same list.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diagnostic.hpp"
#include "value/value.hpp"

namespace chancel {

struct OptionDef {
  enum class Type : std::uint8_t { Integer, Real, Word, Flag };
  const char* name;  // without the colon: "number-of-particles"
  Type type;
  double otherwise;                // the default of a number
  double least, most;              // of a number, both allowed
  std::vector<const char*> words;  // of a Word or a Flag: the default first
  const char* doc;
  const char* otherwise_text = nullptr;  // where the number of the default says nothing: "all"
  // An integer from 1 to that option's value - 1; half of it when not given.
  const char* part_of = nullptr;
  // A Word that may be a vector of checkpoint ids and line numbers instead: its text is the word.
  bool or_places = false;

  const char* type_name() const;     // "integer", "number", "word" or "flag"
  std::string values_text() const;   // "integer >= 1 (100)"
  std::string default_text() const;  // "100"
  std::string wanted_text() const;   // "an integer >= 1"
};

// Integers above this would not fit the engines' counters: no bound as far as people are concerned.
inline constexpr double kMostInteger = 0xfffffff0u;
inline constexpr double kMostReal = 1e300;
// The smallest step of a random walk and the like: "a number > 0".
inline constexpr double kAboveZero = 1e-300;

OptionDef integer_option(const char* name, double otherwise, double least, const char* doc,
                         double most = kMostInteger, const char* otherwise_text = nullptr);
OptionDef real_option(const char* name, double otherwise, double least, double most,
                      const char* doc);
OptionDef word_option(const char* name, std::vector<const char*> words, const char* doc);
// true or false, and false unless it is given.
OptionDef flag_option(const char* name, const char* doc);
// Of every engine that can put draws off.
OptionDef delayed_option(bool otherwise = false);
OptionDef places_option(const char* name, std::vector<const char*> words, const char* doc);
OptionDef part_option(const char* name, const char* part_of, const char* otherwise_text,
                      const char* doc);

// The option of engines that weigh executions at each observe; make_engine does what it asks for.
OptionDef hoist_option();

struct OptionValue {
  std::string name;  // without the colon
  // Int, Double, Ratio, Bool, Keyword, Symbol, String or Vector; text that begins with [ is a vector
  Value value;
};

// The options of one engine, as given or by default.
class EngineOptions {
 public:
  std::uint64_t integer(std::string_view name) const;
  double real(std::string_view name) const;
  const std::string& word(std::string_view name) const;
  // A flag that the engine may have is given and true.
  bool asks_for(std::string_view name) const;

 private:
  struct Entry {
    const OptionDef* def;
    double number;
    std::string word;
  };
  const Entry& find(std::string_view name) const;
  std::vector<Entry> entries_;
  friend std::optional<EngineOptions> check_options(const struct EngineDef&,
                                                    const std::vector<OptionValue>&,
                                                    DiagnosticSink&);
};

}  // namespace chancel
