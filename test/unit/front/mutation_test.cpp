// SPDX-License-Identifier: Apache-2.0
// Damaged programs: parts of good ones are dropped, doubled, exchanged or replaced at random.
// Whatever comes out, the front end must not crash, and what it gives must be valid core, with a
// diagnostic or without.
#include <random>

#include "fixture.hpp"

namespace chancel {

namespace {

const char* const kPrograms[] = {
    "(defquery q [xs & [opts]] (let [{:keys [a b] :or {a 1} :as m} opts [x [y & z] :as all] xs] "
    "(loop [i 0 acc []] "
    "(if (< i 3) (recur (inc i) (conj acc (sample (normal i 1)))) (do (observe (normal x 1) y) "
    "(predict acc) "
    "(predict :z z) [a b m all])))))",
    "(defm f [x] (loop [i 0] (let [g (fn [] (recur (inc i)))] (if (< i 3) (+ 1 (recur (inc i))) "
    "(g)))))",
    "(defn f \"doc\" ([] (f 1)) ([x & {:keys [k]}] {:pre [(< x 1)] :post [(= % 1)]} (case x 1 :a "
    "(2 3) :b (f x k))))",
    "(fn [x] (try (throw (Exception. \"m\")) (catch ArithmeticException e (str e)) (catch "
    "Exception e 2) (finally 3)))",
    "(for [x [1 2] :let [y x] :when (odd? x) :while (< x 9) z [y]] (-> x inc (+ z) (->> (- 1))))",
    "(doseq [x [1] [a b] [[1 2]] :when (< a x)] (println a b (cond (< x 1) 2 :else 3) (condp = x 1 "
    "2 3 :>> inc 4)))",
    "(let [a 1 [b] [a]] (defn p [] a) (def q (query [b] b)) (with-primitive-procedures [Math/log] "
    "(defquery r (log 1))))",
    "(defdist d [x] [y (inc x)] (sample* [this] x) (observe* [this v] (- v y)))",
    "(defproc p [a] [n 0] (produce [this] (flip a)) (absorb [this x] (p a (inc n))))",
    "(do (defprotocol S (area [s] [s k])) (defrecord R [w] S (area [_] w)) (extend-type R S (area "
    "[r k] k)) (R. 1))",
    "(fn [m] (reify distribution (sample* [this] m) (observe* [this v] (letfn [(e [n] (o n)) (o "
    "[n] (e n))] (e m)))))",
    "(if-let [x (and 1 (or 2 3))] (when-some [y x] (dotimes [i y] (while (< i 1) (println i)))) "
    "(cond-> 1 true inc))",
    "(let [g (mem (fn h [n] (if (= n 0) 1 (h (dec n)))))] (catch :t (throw :t (some-> (g 2) "
    "inc))))",
    "(defanglican v [assume f (mem (lambda (n) (f (- n 1))))] [define g (lambda a a)] [observe "
    "(normal (f 1) 1) 2] "
    "(predict (cond ((= 1 2) 3) (else (begin (define x 1) x)))))",
    "(ns a (:require [b.c :as d :refer [e]]) (:use [anglican core [stat :as s]]))",
};

class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  Datum mutate(Datum datum) {
    const int times = 1 + pick(3);
    for (int i = 0; i < times; ++i) {
      std::vector<Datum*> parts;
      collect(datum, parts);
      change(*parts[static_cast<std::size_t>(pick(static_cast<int>(parts.size())))], datum);
    }
    return datum;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<std::uint32_t>(n)); }
  void collect(Datum& datum, std::vector<Datum*>& out) {
    out.push_back(&datum);
    for (Datum& item : datum.items) collect(item, out);
  }
  void change(Datum& part, const Datum& whole) {
    const int size = static_cast<int>(part.items.size());
    switch (pick(7)) {
      case 0:
        if (size > 0) part.items.erase(part.items.begin() + pick(size));
        break;
      case 1:
        if (size > 0)
          part.items.insert(part.items.begin() + pick(size),
                            Datum(part.items[static_cast<std::size_t>(pick(size))]));
        break;
      case 2:
        if (size > 1)
          std::swap(part.items[static_cast<std::size_t>(pick(size))],
                    part.items[static_cast<std::size_t>(pick(size))]);
        break;
      case 3: {
        const DatumKind kinds[] = {DatumKind::List, DatumKind::Vector, DatumKind::Set};
        if (size > 0) part.kind = kinds[pick(3)];
        break;
      }
      case 4:
        part = make_int(7, part.span);
        break;
      case 5:
        part = make_symbol(pick(2) == 0 ? "x" : "&", part.span);
        break;
      default: {
        Datum copy = whole;
        std::vector<Datum*> parts;
        collect(copy, parts);
        Datum other = *parts[static_cast<std::size_t>(pick(static_cast<int>(parts.size())))];
        part = std::move(other);
      }
    }
    if (part.is(DatumKind::Map) && part.items.size() % 2 != 0) part.items.pop_back();
  }
  std::mt19937 random_;
};

}  // namespace

TEST_F(FrontTest, DamagedProgramsGiveValidCore) {
  for (const char* text : kPrograms) {
    EXPECT_EQ(errors_of(text), "") << text;
    const std::vector<Datum> forms = read(text);
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
      const Datum damaged = Mutator(seed).mutate(forms[0]);
      for (Dialect dialect : {Dialect::Clojure, Dialect::Venture, Dialect::Textbook}) {
        sink.clear();
        FrontEnd front(dialect, globals, nodes, constants, sink, sources);
        front.predeclare({damaged});
        auto made = dialect == Dialect::Clojure ? front.translate(damaged)
                                                : front.translate_program({damaged});
        for (const TopLevel& item : made) {
          if (item.node == nullptr) continue;
          ASSERT_EQ(core::verify(item.node), "") << to_text(damaged) << "\n"
                                                 << dialect_name(dialect);
        }
      }
    }
  }
}

}  // namespace chancel
