// SPDX-License-Identifier: Apache-2.0
// Venture-style and textbook programs, records and the choice of the dialect.
#include <filesystem>
#include <fstream>

#include "fixture.hpp"

namespace chancel {

TEST_F(FrontTest, VentureProgramIsOneQuery) {
  EXPECT_EQ(
      venture("[assume f (lambda (n) (if (= n 0) 1 (f (- n 1))))]\n[assume r (poisson 4)]\n"
              "[observe (normal (f r) 1) 6]\n[predict (f r)]"),
      "(def main (query main [value.0] (let [f.1 (fn f self=f.2 [n.3] (if (= n.3 0) 1 (f.2 (- n.3 "
      "1)))) r.4 "
      "(sample (poisson 4))] (do (observe (normal (f.1 r.4) 1) 6) (predict '(f r) (f.1 r.4))))))");
  EXPECT_TRUE(sink.list().empty());
}

TEST_F(FrontTest, VentureMemAndShadowing) {
  EXPECT_EQ(venture("[assume g (crp 1.72)] [assume class (mem (lambda (n) (g)))] [assume mean (mem "
                    "(lambda (c) (class c)))]\n"
                    "[observe (g) 1] (predict (mean 1))"),
            "(def main (query main [value.0] (let [g.1 (crp 1.72) class.2 (%mem-named (fn class "
            "[class.3] (fn class [n.4] "
            "(g.1)))) mean.5 (%mem-named (fn mean [mean.6] (fn mean [c.7] (class.2 c.7))))] (do "
            "(%observe-exchangeable g.1 "
            "(list) 1) (predict '(mean 1) (mean.5 1))))))");
}

TEST_F(FrontTest, VentureForms) {
  EXPECT_EQ(
      venture("[assume x (begin (define y (flip 0.5)) (cond ((= y 1) 2) (else 3)))] [predict x]"),
      "(def main (query main [value.0] (let [x.1 (let [y.2 (sample (flip 0.5))] (if (= y.2 1) 2 "
      "3))] "
      "(predict 'x x.1))))");
  EXPECT_EQ(venture("[predict (let ((x 1) (y x)) [+ x y])]"),
            "(def main (query main [value.0] (predict '(let ((x 1) (y x)) [+ x y]) (let [x.1 1 y.2 "
            "x.1] (+ x.1 y.2)))))");
  EXPECT_EQ(
      venture("[predict (map flip (list 1))]"),
      "(def main (query main [value.0] (predict '(map flip (list 1)) (map (fn flip [& args.1] "
      "(sample (apply flip args.1))) (list 1)))))");
  EXPECT_EQ(venture("[assume f (lambda args (count args))]"),
            "(def main (query main [value.0] (let [f.1 (fn f self=f.2 [& args.3] (count args.3))] "
            "nil)))");
  EXPECT_EQ(venture("(assume x (loop ((i 0)) (if (< i 3) (recur (inc i)) i)))(predict (case x (3 "
                    "'a) (else 'b)))"),
            "(def main (query main [value.0] (let [x.1 (loop [i.2 0] (if (< i.2 3) (recur (inc "
            "i.2)) i.2))] "
            "(predict '(case x (3 (quote a)) (else (quote b))) (let [key.3 x.1] (if (= key.3 3) 'a "
            "'b))))))");
}

TEST_F(FrontTest, VentureFunctionsSeeEachOther) {
  EXPECT_EQ(venture("[assume a (lambda () (b))] [assume b (lambda () 1)] [predict (a)]"),
            "(def main (query main [value.0] (fix [a.1 (fn a [] (b.2)) b.2 (fn b [] 1)] (predict "
            "'(a) (a.1)))))");
}

TEST_F(FrontTest, VentureWithExplicitSample) {
  EXPECT_EQ(venture("[assume x (sample (normal 0 1))] [observe (normal x 1) 2] [predict x]"),
            "(def main (query main [value.0] (let [x.1 (sample (normal 0 1))] (do (observe (normal "
            "x.1 1) 2) "
            "(predict 'x x.1)))))");
  EXPECT_EQ(core_of("(defanglican p [assume x (sample (normal 0 1))] [predict x])"),
            "(def p (query p [value.0] (let [x.1 (sample (normal 0 1))] (predict 'x x.1))))");
}

TEST_F(FrontTest, VentureMistakes) {
  EXPECT_EQ(errors_of("[assume f (lambda (x) x)] [observe (f 1) 2]", Dialect::Venture),
            "F006 observe: f is not a random primitive @ f");
  EXPECT_EQ(errors_of("[observe (+ 1 2) 3]", Dialect::Venture),
            "F006 observe: + is not a random primitive @ +");
  EXPECT_EQ(errors_of("[observe 1 3]", Dialect::Venture),
            "F006 observe: the operator must be a random primitive @ 1");
  EXPECT_EQ(errors_of("[assume x]", Dialect::Venture),
            "F002 assume: needs a name and one value @ [assume x]");
  EXPECT_EQ(errors_of("[predict y]", Dialect::Venture), "F001 unbound name: y @ y");
}

TEST_F(FrontTest, LongVentureProgramsAreFlat) {
  std::string text = "[assume x (normal 0 1)]";
  for (int i = 0; i < 20000; ++i) text += "[observe (normal x 1) 2][assume y x]";
  venture(text);
  EXPECT_TRUE(sink.list().empty());
}

TEST_F(FrontTest, TextbookProgram) {
  EXPECT_EQ(textbook("(defn f [i x] (+ i x)) (let [m (hash-map 6.0 5.3) _ (observe (normal 0 1) "
                     "2)] (get m (loop 3 0 f)))"),
            "(def f (fn f [i.0 x.1] (+ i.0 x.1)))\n"
            "(def main (query main [value.0] (let [result.1 (let [m.2 (%textbook-hash-map 6.0 5.3) "
            "_.3 (observe (normal 0 1) "
            "2)] (%textbook-get m.2 (let [step.4 f] (let [count.5 3] (loop [index.6 0 value.7 0] "
            "(if (< index.6 count.5) "
            "(recur (inc index.6) (step.4 index.6 value.7)) value.7))))))] (do (predict :result "
            "result.1) result.1))))");
  EXPECT_EQ(textbook("(foreach 2 [x [1 2]] (+ x 1))"),
            "(def main (query main [value.0] (let [result.1 (let [sequence.2 [1 2]] (let [count.3 "
            "2] (loop [index.4 0 value.5 "
            "(vector)] (if (< index.4 count.3) (recur (inc index.4) (conj value.5 (let [x.6 (nth "
            "sequence.2 index.4)] (+ x.6 "
            "1)))) value.5))))] (do (predict :result result.1) result.1))))");
  EXPECT_EQ(errors_of("(defn f [] 1)", Dialect::Textbook).substr(0, 4), "F011");
}

TEST_F(FrontTest, Records) {
  EXPECT_EQ(core_of("(defdist dirac \"doc\" [x] [y (inc x)] (sample* [this] x) (observe* [this v] "
                    "(if (= v y) 0 1)))"),
            "(def %method:dirac:sample* (fn sample* [this.0] (let [x.1 (%field this.0 0) this.2 "
            "this.0] x.1)))\n"
            "(def %method:dirac:observe* (fn observe* [this.0 arg.1] (let [y.2 (%field this.0 1) "
            "this.3 this.0 v.4 arg.1] "
            "(if (= v.4 y.2) 0 1))))\n"
            "(def %type:dirac (%record-type 'dirac :distribution [x y] 1 {sample* "
            "%method:dirac:sample*, observe* "
            "%method:dirac:observe*}))\n"
            "(def dirac (fn dirac [x.0] (let [y.1 (inc x.0)] (%record %type:dirac x.0 y.1))))");
  const std::string process =
      core_of("(defproc P [a] [n 0] (produce [this] (flip a)) (absorb [this x] (P a (inc n))))");
  EXPECT_NE(
      process.find(
          "(def P (fn P ([a.0] (%record %type:P a.0 0)) ([a.1 n.2] (%record %type:P a.1 n.2))))"),
      std::string::npos)
      << process;
  const std::string record = core_of(
      "(defprotocol Shape (area [s] \"doc\"))\n(defrecord Sq [w] Shape (area [_] (* w w)))\n(Sq. "
      "2)");
  EXPECT_NE(record.find("(def area (fn area [s.0] ((%method s.0 'area) s.0)))"), std::string::npos)
      << record;
  EXPECT_NE(record.find("(->Sq 2)"), std::string::npos) << record;
  const std::string reify = core_of(
      "(fn [m] (reify distribution (sample* [this] (sample* (normal m 1))) (observe* [this v] "
      "0)))");
  EXPECT_NE(reify.find(":distribution [m] 0"), std::string::npos) << reify;
  EXPECT_TRUE(sink.list().empty());
}

TEST_F(FrontTest, ModelsTranslate) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(CHANCEL_SOURCE_DIR "/models")) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".clj" && extension != ".vnt") continue;
    std::ifstream in(entry.path());
    std::stringstream text;
    text << in.rdbuf();
    globals.knows_everything = extension == ".clj";
    const Dialect dialect = detect_dialect(read(text.str()), true);
    EXPECT_EQ(dialect, extension == ".clj" ? Dialect::Clojure : Dialect::Venture) << entry.path();
    EXPECT_EQ(errors_of(text.str(), dialect), "") << entry.path();
    ++count;
  }
  EXPECT_GT(count, 10);
}

TEST_F(FrontTest, DialectIsDetected) {
  EXPECT_EQ(detect_dialect(read("[assume x 1] [predict x]"), true), Dialect::Venture);
  EXPECT_EQ(detect_dialect(read("(assume x 1)"), false), Dialect::Venture);
  EXPECT_EQ(detect_dialect(read("(defn f [] 1) (f)"), false), Dialect::Textbook);
  EXPECT_EQ(detect_dialect(read("(defn f [] 1) (f)"), true), Dialect::Clojure);
  EXPECT_EQ(detect_dialect(read("(defn f [] 1) (defquery q 1)"), false), Dialect::Clojure);
  EXPECT_EQ(detect_dialect(read("(defn f [] 1)"), false), Dialect::Clojure);
  EXPECT_EQ(detect_dialect({}, false), Dialect::Clojure);
}

TEST_F(FrontTest, DataAndValuesAgree) {
  for (const char* text : {"(a [1 2.5 nil true] {:k \"s\"} #{1} \\c 1/3 ())", "x", ":n/k"}) {
    const Datum datum = read(text)[0];
    EXPECT_TRUE(same_data(*value_to_datum(datum_to_value(datum, constants), datum.span), datum))
        << text;
  }
}

}  // namespace chancel
