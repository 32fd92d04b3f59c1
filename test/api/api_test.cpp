// SPDX-License-Identifier: Apache-2.0
// The public interface as a C++ program uses it.
#include "chancel/chancel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace chancel;

const char* const kCoin =
    "(defquery coin [flips]\n"
    "  (let [p (sample (beta 1 1))]\n"
    "    (map (fn [x] (observe (flip p) x)) flips)\n"
    "    (predict :p p)\n"
    "    (predict :both [p (> p 0.5)])))\n";

TEST(Api, draws_are_a_range_with_weights) {
  auto model = Model::compile(kCoin);
  InferOptions o;
  o.algorithm = "smc";
  o.engine_options = read_engine_options(":number-of-particles 2000");
  o.samples = 20000;
  o.seed = 3;
  o.threads = 1;
  o.value = "[[true true false true]]";
  double sum = 0, weights = 0;
  std::size_t n = 0;
  auto run = model.infer("coin", o);
  for (const Draw& draw : run) {
    const double w = std::exp(draw.log_weight);
    sum += w * draw["p"].number();
    weights += w;
    EXPECT_EQ(draw[":both"].kind(), ValueView::Kind::Vector);
    EXPECT_EQ(draw["both"].at(1).boolean(), draw["p"].number() > 0.5);
    ++n;
  }
  EXPECT_EQ(n, 20000u);
  // Beta(4, 2) has mean 2/3; ten sweeps of 2000 particles: standard error below 0.004, so 0.02 is
  // five of them.
  EXPECT_NEAR(sum / weights, 2.0 / 3, 0.02);
  ASSERT_TRUE(run.statistics().log_evidence);
  EXPECT_NEAR(*run.statistics().log_evidence, -std::log(20), 0.05);
}

TEST(Api, queries_and_parameters_are_described) {
  auto model = Model::compile(kCoin);
  ASSERT_EQ(model.queries().size(), 1u);
  EXPECT_EQ(model.queries()[0].parameters, std::vector<std::string>{"flips"});
  EXPECT_EQ(model.queries()[0].line, 1u);
  EXPECT_EQ(model.dialect(), "clojure");
  EXPECT_EQ(model.default_query(), "coin");
}

std::string code_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.messages().empty() ? "" : e.messages()[0].code;
  }
  return "none";
}

TEST(Api, mistakes_have_codes_and_places) {
  try {
    Model::compile("(defquery q\n  (sampel (normal 0 1)))", {.name = "x.clj"});
    FAIL();
  } catch (const Error& e) {
    ASSERT_FALSE(e.messages().empty());
    const Message& m = e.messages()[0];
    EXPECT_EQ(m.code, "F001");
    EXPECT_EQ(m.line, 2u);
    EXPECT_EQ(m.column, 4u);
    EXPECT_NE(m.text.find("x.clj:2:4"), std::string::npos);
    EXPECT_NE(m.hint.find("sample"), std::string::npos);
    EXPECT_EQ(e.exit_code(), ExitCode::BadInput);
  }
  auto model = Model::compile(kCoin);
  EXPECT_EQ(code_of([&] { model.infer("coni"); }), "F011");
  EXPECT_EQ(code_of([&] { model.infer("coin"); }), "U003");
  InferOptions o;
  o.value = "[[true]]";
  o.algorithm = "smcc";
  EXPECT_EQ(code_of([&] { model.infer("coin", o); }), "I001");
  o.algorithm = "smc";
  o.engine_options = read_engine_options(":particles 3");
  EXPECT_EQ(code_of([&] { model.infer("coin", o); }), "I002");
  o.engine_options = read_engine_options("");
  o.value = "{:flip [true]}";
  EXPECT_EQ(code_of([&] { model.infer("coin", o); }), "U003");
}

TEST(Api, data_binds_by_name) {
  auto model = Model::compile(kCoin);
  for (const auto& [name, text] :
       std::vector<std::pair<std::string, std::string>>{{"d.json", "{\"flips\": [true, false]}"},
                                                        {"d.edn", "{:flips [true false]}"},
                                                        {"d.csv", "flips\ntrue\nfalse\n"}}) {
    InferOptions o;
    o.algorithm = "importance";
    o.samples = 1;
    o.data = {name, text};
    auto run = model.infer("coin", o);
    EXPECT_NE(run.next(), nullptr) << name;
  }
  InferOptions o;
  o.data = {"d.json", "{\"flips\": [true,}"};
  EXPECT_EQ(code_of([&] { model.infer("coin", o); }), "U003");
}

TEST(Api, the_number_of_arguments_is_checked) {
  auto model = Model::compile("(defquery q [a b] (predict :d (- a b)))");
  for (const char* value : {"[1]", "[1 2 3]", "[]", "7", "nil"}) {
    InferOptions o;
    o.value = value;
    EXPECT_EQ(code_of([&] { model.infer("q", o); }), "U003") << value;
  }
}

TEST(Api, same_seed_same_draws) {
  auto model = Model::compile(kCoin);
  const auto draws = [&](unsigned threads) {
    InferOptions o;
    o.algorithm = "smc";
    o.engine_options = read_engine_options(":number-of-particles 1000");
    o.samples = 2000;
    o.seed = 5;
    o.threads = threads;
    o.value = "[[true true false]]";
    std::string out;
    for (const Draw& d : model.infer("coin", o))
      out += d["p"].print() + " " + std::to_string(d.log_weight) + "\n";
    return out;
  };
  const std::string one = draws(1);
  EXPECT_EQ(one, draws(1));
  EXPECT_EQ(one, draws(2));
  EXPECT_EQ(one, draws(5));
}

// Neighbours in a sweep are relatives: the first hundred of a thousand would be few families.
TEST(Api, part_of_a_sweep_is_spread_over_it) {
  auto model = Model::compile(kCoin);
  const auto draws = [&](std::uint64_t samples) {
    InferOptions o;
    o.algorithm = "smc";
    o.engine_options = read_engine_options(":number-of-particles 1000");
    o.samples = samples;
    o.seed = 8;
    o.value = "[[true true false true]]";
    std::vector<double> out;
    for (const Draw& draw : model.infer("coin", o)) out.push_back(draw["p"].number());
    return out;
  };
  const std::vector<double> whole = draws(2000), part = draws(1100);
  ASSERT_EQ(part.size(), 1100u);
  for (std::size_t i = 0; i < 1000; ++i) EXPECT_EQ(part[i], whole[i]);
  for (std::size_t k = 0; k < 100; ++k) {
    const auto from = whole.begin() + 1000 + static_cast<std::ptrdiff_t>(10 * k);
    EXPECT_NE(std::find(from, from + 10, part[1000 + k]), from + 10) << k;
  }
}

TEST(Api, scripts_keep_their_definitions) {
  Script script;
  std::vector<std::string> values;
  const auto keep = [&](const Script::Result& r) { values.push_back(r.text); };
  script.evaluate("(defn f [x] (* 2 x))", "a", keep);
  script.evaluate("(f 21)", "b", keep);
  EXPECT_EQ(values.back(), "42");
  EXPECT_FALSE(script.completions("redu").empty());
  EXPECT_FALSE(Script::is_complete("(defn f ["));
  EXPECT_TRUE(Script::is_complete("(defn f [] 1)"));
}

TEST(Api, forms_are_reported_one_by_one) {
  Script script({}, 1);
  const std::string text =
      "(ns x)\n(def a 2) (println a)\n\n(map inc [1 a])\n(/ a 0)\n(nosuch)\n  a ";
  std::vector<Form> forms;
  std::vector<std::string> values;
  script.evaluate_forms(text, "a", [&](const Form& form) {
    forms.push_back(form);
    values.push_back(form.value.print());
    return true;
  });
  ASSERT_EQ(forms.size(), 7u);
  EXPECT_EQ(values, (std::vector<std::string>{"nil", "a", "nil", "(2 3)", "nil", "nil", "2"}));
  EXPECT_TRUE(forms[0].is_definition && forms[1].is_definition && !forms[2].is_definition);
  EXPECT_EQ(forms[2].output, "2\n");
  EXPECT_EQ(forms[3].output, "");
  EXPECT_EQ(forms[3].source, "(map inc [1 a])");
  EXPECT_EQ(forms[3].line, 4u);
  EXPECT_EQ(text.substr(forms[6].begin, forms[6].end - forms[6].begin), "a");
  EXPECT_EQ(forms[6].column, 3u);
  ASSERT_TRUE(forms[4].failed() && forms[5].failed());
  EXPECT_EQ(forms[4].errors[0].code, "R006");
  EXPECT_EQ(forms[4].exit_code, chancel::ExitCode::Failed);
  EXPECT_EQ(forms[5].exit_code, chancel::ExitCode::BadInput);
  EXPECT_EQ(forms[5].errors.size(), 1u);

  std::size_t told = 0;  // the answer decides whether to continue
  script.evaluate_forms("(/ 1 0) (inc 1)", "b", [&](const Form&) { return ++told > 5; });
  EXPECT_EQ(told, 1u);
  told = 0;  // a text that cannot be read
  script.evaluate_forms("(inc 1", "c", [&](const Form& form) {
    EXPECT_EQ(form.errors[0].code, "S001");
    return ++told > 5;
  });
  EXPECT_EQ(told, 1u);
}

TEST(Api, values_without_end_are_evaluated_as_far_as_people_look) {
  Script script({}, 1);
  const std::string query = "(defquery q (sample (normal 0 1)))";
  const std::pair<std::string, std::size_t> kCases[] = {{"(range)", 1000},
                                                        {"(iterate inc 0)", 1000},
                                                        {"(doquery :lmh q nil)", 10},
                                                        {"{:a [(doquery :lmh q nil)]}", 0}};
  script.evaluate_forms(query, "q", [](const Form&) { return true; });
  for (const auto& [text, least] : kCases)
    script.evaluate_forms(text, "a", [&, least = least](const Form& form) {
      EXPECT_FALSE(form.failed()) << form.errors[0].text;
      EXPECT_TRUE(form.has_more);
      if (least > 0) {
        const auto [items, more] = form.value.front(least);
        EXPECT_EQ(items.size(), least);
        EXPECT_TRUE(more);
      }
      return true;
    });
  std::size_t printed = 0;
  CompileOptions options;
  options.output = [&](std::string_view) { ++printed; };
  Script(options).evaluate_forms("(map println (range 3000))", "b", [](const Form& form) {
    EXPECT_FALSE(form.has_more);
    return true;
  });
  EXPECT_EQ(printed, 3000u);  // shorter ones to their end
}

TEST(Api, scripts_of_different_threads_are_independent) {
  std::vector<std::thread> team;
  std::vector<std::string> printed(4);
  std::vector<int> wrong(4, 0);
  for (std::size_t t = 0; t < 4; ++t) {
    team.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        CompileOptions options;
        options.output = [&, t](std::string_view text) { printed[t] += text; };
        Script script(options);
        const std::string number = std::to_string(t);
        script.evaluate("(do (print " + number + ") (first (read-string \"[" + number + "]\")))",
                        "a", [&](const Script::Result& r) { wrong[t] += r.text != number; });
      }
    });
  }
  for (std::thread& thread : team) thread.join();
  for (std::size_t t = 0; t < 4; ++t) {
    EXPECT_EQ(printed[t], std::string(50, static_cast<char>('0' + t)));
    EXPECT_EQ(wrong[t], 0);
  }
}

TEST(Api, every_engine_option_and_code_is_documented) {
  for (const EngineInfo& e : engines()) {
    EXPECT_FALSE(e.summary.empty()) << e.name;
    for (const auto& o : e.options) EXPECT_FALSE(o.doc.empty()) << e.name << " " << o.name;
  }
  for (const ErrorCode& c : error_codes()) EXPECT_FALSE(c.explanation.empty()) << c.code;
  EXPECT_GT(library().size(), 400u);
}

}  // namespace
