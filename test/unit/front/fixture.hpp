// SPDX-License-Identifier: Apache-2.0
// A front end on its own: global names from a fixed list, core as text on one line with binding
// numbers counted from the first one used, and core::verify on everything that comes out.
#pragma once
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>
#include <sstream>

#include "front/front.hpp"
#include "reader/reader.hpp"

namespace chancel {

class FakeGlobals : public GlobalNames {
 public:
  FakeGlobals() {
    std::istringstream list(
        "+ - * / = < > <= >= not inc dec first rest next second last nth nthnext get count conj "
        "cons concat seq list vector "
        "vec hash-map map mapcat filter reduce apply mem store retrieve println str mean merge "
        "nil? empty? peek range "
        "deref sqrt log exp car cdr null? unique flip normal gamma poisson beta discrete crp "
        "beta-bernoulli "
        "dirichlet-multinomial polya-urn-mem uniform-continuous repeatedly eval conditional even? "
        "odd? ex-message "
        "ex-info Math/log Math/PI Double/NaN clojure.string/join anglican.stat/empirical-mean put "
        "sample* observe* "
        "identity atom swap! symbol read-csv keyword get-in assoc :time");
    std::string name;
    while (list >> name) names_.insert(name);
  }
  bool knows_everything = false;
  bool known(const Name* name) const override {
    return knows_everything || name->full[0] == '%' || names_.count(name->full) != 0 ||
           macros_.count(name->full) != 0;
  }
  std::vector<std::string> all() const override { return {names_.begin(), names_.end()}; }
  std::optional<ArgumentCount> arity(const Name* name) const override {
    static const std::map<std::string, ArgumentCount> counts = {{"normal", {2, 2, "[mean sd]"}},
                                                                {"poisson", {1, 1, "[lambda]"}},
                                                                {"first", {1, 1}},
                                                                {"get", {2, 3}},
                                                                {"conj", {1, -1}}};
    auto found = counts.find(name->full);
    if (found == counts.end()) return std::nullopt;
    return found->second;
  }
  bool is_distribution(const Name* name) const override {
    static const std::set<std::string> dists = {
        "flip", "normal", "gamma", "poisson", "beta", "discrete", "uniform-continuous"};
    return dists.count(name->full) != 0;
  }
  bool is_macro(const Name* name) const override { return macros_.count(name->full) != 0; }
  bool top_level_only(const Name* name) const override { return name->full == "read-csv"; }
  // The fake macro language: (unless test body) is (if test nil body); any other macro gives its
  // first argument twice.
  std::optional<Datum> expand(const Name* name, const Datum& form, DiagnosticSink& sink) override {
    if (name->full == "broken") {
      sink.error(Code::F009, form.span, "broken: failed");
      return std::nullopt;
    }
    if (name->full == "define-two")
      return make_list(
          {make_symbol("do", form.span),
           make_list({make_symbol("def", form.span), form.items[1], make_int(1, form.span)},
                     form.span),
           make_list({make_symbol("def", form.span), form.items[2], make_int(2, form.span)},
                     form.span)},
          form.span);
    return make_list(
        {make_symbol("if", form.span), form.items[1], make_nil(form.span), form.items[2]},
        form.span);
  }
  void define_macro(const Name* name, core::Lambda*) override { macros_.insert(name->full); }
  void declare(const Name* name, Span) override { names_.insert(name->full); }
  bool is_dynamic(const Name* name) const override { return dynamic_.count(name->full) != 0; }
  void mark_dynamic(const Name* name) override { dynamic_.insert(name->full); }

 private:
  std::set<std::string> names_;
  std::set<std::string> macros_;
  std::set<std::string> dynamic_;
};

class FrontTest : public ::testing::Test {
 protected:
  std::vector<Datum> read(const std::string& text) {
    const std::uint32_t file = sources.add("test.clj", text);
    return read_all(sources, file, sink);
  }

  // Core of all forms, one line each, bindings renumbered.
  std::string core_of(const std::string& text, Dialect dialect = Dialect::Clojure) {
    sink.clear();
    std::vector<Datum> forms = read(text);
    FrontEnd front(dialect, globals, nodes, constants, sink, sources);
    front.predeclare(forms);
    items = dialect == Dialect::Clojure ? std::vector<TopLevel>{} : front.translate_program(forms);
    if (dialect == Dialect::Clojure)
      for (const Datum& form : forms)
        for (TopLevel& item : front.translate(form)) items.push_back(std::move(item));
    std::string out;
    for (const TopLevel& item : items) {
      if (item.node == nullptr) continue;
      EXPECT_EQ(core::verify(item.node), "") << text;
      if (!out.empty()) out += "\n";
      out += one_line(core::print(item.node));
    }
    return out;
  }
  std::string venture(const std::string& text) { return core_of(text, Dialect::Venture); }
  std::string textbook(const std::string& text) { return core_of(text, Dialect::Textbook); }

  // "F001 unbound name: x | ..." of what was reported for the text; the place as the text under the
  // span.
  std::string errors_of(const std::string& text, Dialect dialect = Dialect::Clojure) {
    core_of(text, dialect);
    std::string out;
    for (const Diagnostic& diagnostic : sink.list()) {
      if (!out.empty()) out += " | ";
      out += std::string(code_name(diagnostic.code)) + " " + diagnostic.message + " @ " +
             std::string(sources.text(diagnostic.span));
      if (!diagnostic.hint.empty()) last_hint = diagnostic.hint;
    }
    return out;
  }

  // Runs of blanks become one, and x.123 becomes x.0, x.1 ... in the order of appearance. 0.5 is
  // not a name.
  static std::string one_line(const std::string& text) {
    std::string out;
    std::map<std::string, std::size_t> seen;
    auto delimiter = [](char c) {
      return c == ' ' || c == '(' || c == ')' || c == '[' || c == ']' || c == '=';
    };
    std::string word;
    auto finish = [&] {
      const std::size_t dot = word.rfind('.');
      const bool number = !word.empty() && (std::isdigit(static_cast<unsigned char>(word[0])) ||
                                            (word.size() > 1 && word[0] == '-' &&
                                             std::isdigit(static_cast<unsigned char>(word[1]))));
      if (!number && dot != std::string::npos && dot + 1 < word.size() &&
          word.find_first_not_of("0123456789", dot + 1) == std::string::npos) {
        const std::size_t next = seen.size();
        const auto entry = seen.emplace(word.substr(dot + 1), next).first;
        word = word.substr(0, dot + 1) + std::to_string(entry->second);
      }
      out += word;
      word.clear();
    };
    for (char c : text) {
      if (c == '\n') c = ' ';
      if (!delimiter(c)) {
        word += c;
        continue;
      }
      finish();
      if (c != ' ' || out.empty() || out.back() != ' ') out += c;
    }
    finish();
    return out;
  }

  SourceMap sources;
  DiagnosticSink sink;
  FakeGlobals globals;
  core::NodeArena nodes;
  Heap heap;
  Arena constants{heap};
  std::vector<TopLevel> items;
  std::string last_hint;
};

}  // namespace chancel
