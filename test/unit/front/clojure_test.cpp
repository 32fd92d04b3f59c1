// SPDX-License-Identifier: Apache-2.0
// Clojure-style expressions, functions, loops and definitions as core.
#include "fixture.hpp"

namespace chancel {

TEST_F(FrontTest, LiteralsAndCalls) {
  EXPECT_EQ(core_of("(+ 1 2.5)"), "(+ 1 2.5)");
  EXPECT_EQ(core_of("[1 :a \"s\" nil true]"), "[1 :a \"s\" nil true]");
  EXPECT_EQ(core_of("'(a b)"), "'(a b)");
  EXPECT_EQ(core_of("{:a (+ 1 2)}"), "(%map :a (+ 1 2))");
  EXPECT_EQ(core_of("#{(+ 1 2)}"), "(%set (+ 1 2))");
  EXPECT_EQ(core_of("(:k {:k 1})"), "(:k {:k 1})");
  EXPECT_EQ(core_of("((fn [x] x) 1)"), "((fn [x.0] x.0) 1)");
  EXPECT_EQ(core_of("#(+ % 1)").substr(0, 4), "(fn ");
}

TEST_F(FrontTest, QueryTakesItsValueApart) {
  EXPECT_EQ(
      core_of("(defquery q \"doc\" [xs & [opts]] (let [m (sample (normal 0 1))] (observe (normal m "
              "1) (first xs)) "
              "(predict m) (predict :twice (* 2 m)) m))"),
      "(def q (query q [value.0] (let [xs.1 (nth value.0 0 nil) vec.2 (nthnext value.0 1) opts.3 "
      "(nth vec.2 0 nil)] "
      "(let [m.4 (sample (normal 0 1))] (do (observe (normal m.4 1) (first xs.1)) (predict 'm m.4) "
      "(predict :twice (* 2 m.4)) m.4)))))");
  ASSERT_TRUE(items[0].query.has_value());
  EXPECT_EQ(items[0].query->doc, "doc");
  ASSERT_EQ(items[0].query->parameters.size(), 2u);
  EXPECT_EQ(items[0].query->parameters[0].name, "xs");
  EXPECT_TRUE(items[0].query->parameters[1].rest);
  EXPECT_EQ(static_cast<core::Lambda*>(static_cast<core::Def*>(items[0].node)->value)
                ->source.substr(0, 11),
            "(defquery q");
  EXPECT_EQ(core_of("(defquery q data (count data))"), "(def q (query q [data.0] (count data.0)))");
  EXPECT_TRUE(items[0].query->whole_value);
  EXPECT_EQ(core_of("(defquery q (sample :id (normal 0 1)))"),
            "(def q (query q [value.0] (sample :id (normal 0 1))))");
}

TEST_F(FrontTest, Functions) {
  EXPECT_EQ(core_of("(defn f \"doc\" {:a 1} ([x] (f x 1)) ([x & more] more))"),
            "(def f (fn f ([x.0] (f x.0 1)) ([x.1 & more.2] more.2)))");
  EXPECT_EQ(core_of("(fn self [[a b] {:keys [c]}] (self a b c))"),
            "(fn self self=self.0 [arg.1 arg.2] (let [a.3 (nth arg.1 0 nil) b.4 (nth arg.1 1 nil) "
            "map.5 (%destructure-map arg.2) c.6 (get map.5 :c)] (self.0 a.3 b.4 c.6)))");
  EXPECT_EQ(core_of("(fn [x] (if (< x 1) x (recur (dec x))))"),
            "(fn [x.0] (loop [x.1 x.0] (if (< x.1 1) x.1 (recur (dec x.1)))))");
  EXPECT_EQ(core_of("(fn [x] {:pre [(< x 1)]} x)"),
            "(fn [x.0] (do (if (< x.0 1) nil (%assert-failed \"(< x 1)\")) x.0))");
  EXPECT_EQ(core_of("(let [f (mem (fn g [n] (g (dec n))))] (f 1))"),
            "(let [f.0 (%mem-named (fn g [g.1] (fn g [n.2] (g.1 (dec n.2)))))] (f.0 1))");
}

TEST_F(FrontTest, Loops) {
  EXPECT_EQ(core_of("(loop [i 0 j i] (if (< i 3) (recur (inc i) j) j))"),
            "(loop [i.0 0 j.1 i.0] (if (< i.0 3) (recur (inc i.0) j.1) j.1))");
  EXPECT_EQ(core_of("(defm f [] (loop [i 0 j i] (if (< i 3) (+ 1 (recur (inc i) j)) j)))"),
            "(def f (fn f [] (let [i.0 0 j.1 i.0] (fix [loop.2 (fn loop [i.3 j.4] (if (< i.3 3) "
            "(+ 1 (loop.2 (inc i.3) j.4)) j.4))] (loop.2 i.0 j.1)))))");
  // Anglican: recur in an inner function goes to the loop around it.
  EXPECT_EQ(
      core_of("(defquery q (loop [i 0] (let [f (fn [] (recur (inc i)))] (if (< i 3) (f) i))))"),
      "(def q (query q [value.0] (let [i.1 0] (fix [loop.2 (fn loop [i.3] (let [f.4 (fn f [] "
      "(loop.2 (inc i.3)))] "
      "(if (< i.3 3) (f.4) i.3)))] (loop.2 i.1)))))");
  // ... but to the function if only that fits.
  EXPECT_EQ(core_of("(defquery q (loop [i 0] ((fn [a b] (if a b (recur a b))) 1 2)))"),
            "(def q (query q [value.0] (loop [i.1 0] ((fn [a.2 b.3] (loop [a.4 a.2 b.5 b.3] (if "
            "a.4 b.5 (recur a.4 b.5)))) "
            "1 2))))");
  EXPECT_EQ(
      core_of("(loop [[x & more] [1 2]] (if more (recur more) x))"),
      "(let [part.0 [1 2] x.1 (nth part.0 0 nil) more.2 (nthnext part.0 1)] (loop [part.3 part.0] "
      "(let [x.4 (nth part.3 0 nil) more.5 (nthnext part.3 1)] (if more.5 (recur more.5) x.4))))");
}

TEST_F(FrontTest, RecurMistakes) {
  EXPECT_EQ(errors_of("(recur 1)"), "F004 recur has no loop to go back to @ (recur 1)");
  EXPECT_EQ(errors_of("(loop [i 0] (+ 1 (recur i)))"),
            "F004 recur is not in tail position @ (recur i)");
  EXPECT_EQ(errors_of("(loop [i 0] (recur i i))"),
            "F004 recur passes 2 values, the loop takes 1 @ (recur i i)");
  EXPECT_EQ(errors_of("(loop [i 0] (try (recur i) (catch Exception e 1)))"),
            "F004 recur cannot leave this form @ (recur i)");
  EXPECT_EQ(errors_of("(fn [x] (+ 1 (recur x)))"),
            "F004 recur is not in tail position @ (recur x)");
}

TEST_F(FrontTest, Conditionals) {
  EXPECT_EQ(core_of("(if (and 1 2) 3)"), "(if (if 1 2 false) 3 nil)");
  EXPECT_EQ(core_of("(or 1 2)"), "(let [or.0 1] (if or.0 or.0 2))");
  EXPECT_EQ(core_of("(and)"), "true");
  EXPECT_EQ(core_of("(or)"), "nil");
  EXPECT_EQ(core_of("(cond (< 1 2) :a :else :b)"), "(if (< 1 2) :a :b)");
  EXPECT_EQ(core_of("(when-not 1 2 3)"), "(if 1 nil 3)");
  EXPECT_EQ(core_of("(case (inc 1) 1 :a (2 b) :b [1 x] :c)"),
            "(let [key.0 (inc 1)] (if (= key.0 1) :a (if (if (= key.0 2) true (= key.0 'b)) :b (if "
            "(= key.0 [1 x]) :c "
            "(%no-matching-clause key.0)))))");
  EXPECT_EQ(core_of("(condp = 1 2 :a :b)"),
            "(let [pred.0 = value.1 1] (if (pred.0 2 value.1) :a :b))");
  EXPECT_EQ(core_of("(if-let [[a] (seq [])] a 2)"),
            "(let [value.0 (seq [])] (if value.0 (let [a.1 (nth value.0 0 nil)] a.1) 2))");
  EXPECT_EQ(core_of("(when-some [x 1] x)"),
            "(let [value.0 1] (if (nil? value.0) nil (let [x.1 value.0] x.1)))");
}

TEST_F(FrontTest, Threading) {
  EXPECT_EQ(core_of("(-> 1 inc (+ 2) (->> (- 3)))"), "(- 3 (+ (inc 1) 2))");
  EXPECT_EQ(core_of("(some-> 1 inc)"),
            "(let [step`1.0 1] (if (nil? step`1.0) nil (inc step`1.0)))");
  EXPECT_EQ(core_of("(cond-> 1 true inc)"), "(let [step`1.0 1] (if true (inc step`1.0) step`1.0))");
  EXPECT_EQ(core_of("(as-> 1 x (+ x 1) (* x x))"), "(let [x.0 1 x.1 (+ x.0 1)] (* x.1 x.1))");
  EXPECT_EQ(core_of("(-> [1 2])"), "[1 2]");
}

TEST_F(FrontTest, Iteration) {
  EXPECT_EQ(core_of("(for [x [1 2]] (sample (normal x 1)))"),
            "(map (fn for [x.0] (sample (normal x.0 1))) [1 2])");
  EXPECT_EQ(core_of("(for [x [1] :when (odd? x) :let [z x] y [2]] [x y z])"),
            "(mapcat (fn for [x.0] (if (odd? x.0) (let [z.1 x.0] (map (fn for [y.2] (vector x.0 "
            "y.2 z.1)) [2])) nil)) [1])");
  EXPECT_EQ(core_of("(for [x (range) :while (< x 3)] x)"),
            "(%mapcat-while (fn for [x.0] (if (< x.0 3) (list x.0) '%stop)) (range))");
  EXPECT_EQ(core_of("(doseq [x [1] y [2] :when (< x y)] (println x y))"),
            "(loop [seq.0 (seq [1])] (if seq.0 (let [x.1 (first seq.0)] (do (loop [seq.2 (seq "
            "[2])] (if seq.2 "
            "(let [y.3 (first seq.2)] (if (< x.1 y.3) (do (println x.1 y.3) (recur (next seq.2))) "
            "(recur (next seq.2)))) "
            "nil)) (recur (next seq.0)))) nil))");
  EXPECT_EQ(core_of("(dotimes [i 3] (println i))"),
            "(let [count.0 3] (loop [i.1 0] (if (< i.1 count.0) (do (println i.1) (recur (inc "
            "i.1))) nil)))");
}

TEST_F(FrontTest, Control) {
  EXPECT_EQ(core_of("(catch :t (throw :t 1))"), "(catch :t (fn [] (throw :t 1)))");
  EXPECT_EQ(core_of("(try (throw (Exception. \"x\")) (catch ArithmeticException e 1) (catch "
                    "Exception e e) (finally 2))"),
            "(try (fn [] (throw (%exception java.lang.Exception \"x\"))) (catch (fn [thrown.0] (if "
            "(%exception-is? thrown.0 java.lang.ArithmeticException) (let [e.1 thrown.0] 1) (if "
            "(%exception-is? thrown.0 java.lang.Exception) (let [e.2 thrown.0] e.2) (throw "
            "thrown.0))))) (finally (fn [] 2)))");
  EXPECT_EQ(core_of("(lazy-seq (cons 1 nil))"), "(%lazy-seq (fn [] (cons 1 nil)))");
  EXPECT_EQ(core_of("@(delay 1)"), "(deref (%delay (fn [] 1)))");
  EXPECT_EQ(core_of("(factor 1.5)"), "(observe (%factor 1.5) nil)");
  EXPECT_EQ(core_of("(map sample [(normal 0 1)])"),
            "(map (fn sample ([dist.0] (sample dist.0)) ([id.1 dist.2] (sample id.1 dist.2))) "
            "(vector (normal 0 1)))");
  EXPECT_EQ(core_of("(do (declare :primitive f) 1)"), "1");
}

TEST_F(FrontTest, HygieneOfSugar) {
  EXPECT_EQ(core_of("(let [seq 1 first 2] (doseq [x seq] first))"),
            "(let [seq.0 1 first.1 2] (loop [seq.2 (seq seq.0)] (if seq.2 (let [x.3 (first seq.2)] "
            "(recur (next seq.2))) nil)))");
  EXPECT_EQ(
      core_of("(defn nth [v i] v)\n(let [[a] [1]] a)"),
      "(def nth (fn nth [v.0 i.1] v.0))\n(let [vec.0 [1] a.1 (clojure.core/nth vec.0 0 nil)] a.1)");
  EXPECT_EQ(core_of("(let [count (count [1])] count)"), "(let [count.0 (count [1])] count.0)");
  EXPECT_EQ(core_of("(fn [when] (when 1))"), "(fn [when.0] (when.0 1))");
}

TEST_F(FrontTest, Namespaces) {
  EXPECT_EQ(core_of("(ns a.b (:require [clojure.string :as s] [anglican.stat :as stat :refer "
                    "[empirical-mean]]) "
                    "(:use [anglican core runtime]))\n(s/join 1)\n(stat/empirical-mean "
                    "1)\n(empirical-mean 1)\n"
                    "(anglican.runtime/normal 0 1)\n(Math/log Math/PI)\n(java.lang.Math/log "
                    "1)\na.b/x\n(def x 1)"),
            "(clojure.string/join 1)\n(anglican.stat/empirical-mean "
            "1)\n(anglican.stat/empirical-mean 1)\n(normal 0 1)\n"
            "(Math/log Math/PI)\n(Math/log 1)\nx\n(def x 1)");
  EXPECT_TRUE(sink.list().empty());
}

TEST_F(FrontTest, Definitions) {
  EXPECT_EQ(core_of("(def ^:private x \"doc\" 1)\n(declare g)\n(defonce y 2)"),
            "(def x 1)\n(declare g)\n(def y 2)");
  EXPECT_EQ(core_of("(with-primitive-procedures [f Math/log] (defquery q (log 1)))"),
            "(def q (query q [value.0] (Math/log 1)))");
  const std::string hoisted = core_of("(let [a 1 [b] [a]] (defn f [] a) (defn g [] b))");
  EXPECT_NE(hoisted.find("(def f (fn f [] %let:a:"), std::string::npos) << hoisted;
  EXPECT_EQ(core_of("(fn [] (def x 1))"), "(fn [] (def x 1))");
  EXPECT_EQ(errors_of("(query [] (def x 1))"),
            "F008 def: definitions stand at top level only @ (def x 1)");
  EXPECT_EQ(errors_of("(defn)"), "F008 defn: needs a name @ (defn)");
}

TEST_F(FrontTest, DynamicVariablesAreCells) {
  EXPECT_EQ(
      core_of("(def ^:dynamic *x* 1)\n(defn f [] *x*)\n(binding [*x* 2] (f))"),
      "(def *x* (%cell-new 1))\n(def f (fn f [] (%cell-get *x*)))\n(let [given.0 2 before.1 "
      "(%cell-get *x*)] "
      "(do (%cell-set *x* given.0) (try (fn [] (f)) (finally (fn [] (%cell-set *x* before.1))))))");
}

TEST_F(FrontTest, OneValuePerTopLevelForm) {
  EXPECT_EQ(core_of("(do 1 (println 2) 3)"), "(do (println 2) 3)");
  EXPECT_EQ(core_of("(do (def a 4) a)"), "(def a 4)\na");
  EXPECT_FALSE(items[0].shown);
  EXPECT_TRUE(items[1].shown);
  EXPECT_EQ(core_of("(comment (nothing here))"), "nil");
  EXPECT_EQ(core_of("(defonce b 1)\n(defonce b 2)"), "(def b 1)");
}

TEST_F(FrontTest, Multimethods) {
  EXPECT_EQ(core_of("(defmulti area :kind)\n(defmethod area :square [s] (first s))"),
            "(def %dispatch:area :kind)\n(def %methods:area {})\n(def %prefers:area {})\n"
            "(def area (fn area [& args.0] (apply (%find-method 'area %methods:area %prefers:area "
            ":default (apply %dispatch:area args.0)) args.0)))\n"
            "(def %methods:area (assoc %methods:area :square (fn area [s.0] (first s.0))))");
}

TEST_F(FrontTest, Macros) {
  EXPECT_EQ(core_of("(defmacro unless [t b] (list 'if t nil b))\n(unless 1 (inc 2))"),
            "(if 1 nil (inc 2))");
  EXPECT_EQ(core_of("(defmacro define-two [a b] nil)\n(define-two p q)\n(+ p q)"),
            "(def p 1)\n(def q 2)\n(+ p q)");
  EXPECT_EQ(errors_of("(defmacro broken [x] x)\n(broken 1)"), "F009 broken: failed @ (broken 1)");
}

TEST_F(FrontTest, NameAndArityMistakes) {
  EXPECT_EQ(errors_of("(nromal 0 1)"), "F001 unbound name: nromal @ nromal");
  EXPECT_EQ(last_hint, "did you mean normal?");
  EXPECT_EQ(errors_of("(let [weight 1] (inc wieght))"), "F001 unbound name: wieght @ wieght");
  EXPECT_EQ(last_hint, "did you mean weight?");
  EXPECT_EQ(errors_of("(gaussian 0 1)"), "F001 unbound name: gaussian @ gaussian");
  EXPECT_EQ(last_hint, "did you mean normal?");
  EXPECT_EQ(errors_of("(normal 1)"),
            "F005 normal: takes 2 arguments (mean sd), got 1 @ (normal 1)");
  EXPECT_EQ(errors_of("(poisson)"), "F005 poisson: takes 1 argument (lambda), got 0 @ (poisson)");
  EXPECT_EQ(errors_of("(defn f ([a] a) ([a b] b))\n(f)"),
            "F005 f: takes 1 or 2 arguments ([a] or [a b]), got 0 @ (f)");
  EXPECT_EQ(errors_of("(defn f [a] a)\n(defn f [a b] b)\n(f 1)"), "");
  EXPECT_EQ(errors_of("(1 2)"), "F012 1 is not a function @ 1");
  EXPECT_EQ(errors_of("(if)").substr(0, 4), "F002");
  EXPECT_EQ(errors_of("(let [x] x)"), "F003 let: names and values must come in pairs @ [x]");
  EXPECT_EQ(errors_of("(.foo x)").substr(0, 4), "F007");
  EXPECT_EQ(errors_of("(foo 1) (bar 2)"),
            "F001 unbound name: foo @ foo | F001 unbound name: bar @ bar");
  EXPECT_EQ(errors_of("(defn a [] (b))\n(defn b [] (a))"), "");
}

TEST_F(FrontTest, BigLiteralsAreConstants) {
  std::string text = "(list";
  for (int i = 0; i < 1000; ++i) text += " " + std::to_string(i);
  core_of(text + ")");
  EXPECT_EQ(items[0].node->kind, core::Kind::Const);
  text = "[";
  for (int i = 0; i < 200; ++i) text += " (inc " + std::to_string(i) + ")";
  EXPECT_EQ(core_of(text + "]").substr(0, 32), "(%concat-vectors (vector (inc 0)");
}

TEST_F(FrontTest, DeepNestingDoesNotOverflow) {
  std::string text;
  for (int i = 0; i < 1900; ++i) text += "(inc ";
  text += "1" + std::string(1900, ')');
  core_of(text);
  EXPECT_TRUE(sink.list().empty());
  text = "(-> 1";
  for (int i = 0; i < 20000; ++i) text += " inc";
  EXPECT_EQ(errors_of(text + ")").substr(0, 5), "F002 ");
  text = "(-> 1";
  for (int i = 0; i < 2000; ++i) text += " inc";
  EXPECT_EQ(errors_of(text + ")"), "");
  text = "(cond";
  for (int i = 0; i < 100000; ++i) text += " (< 1 2) 3";
  EXPECT_EQ(errors_of(text + ")"), "");
}

}  // namespace chancel
