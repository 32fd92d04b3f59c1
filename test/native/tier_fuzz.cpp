// SPDX-License-Identifier: Apache-2.0
// Generated programs, interpreted and as native code: what they print and draw must be the same text, and
// where one fails so must the other, with the same message. Programs are made of functions, loops and one
// query over integers, doubles, truth values and vectors; numbers may overflow, divisors may be zero.
//
//   tier_fuzz [--cases N] [--seed S] [--only CASE] [--plant]
//
// A case is named by seed and number; --only prints that one. --plant: one addition of the native program
// is wrong, and must be found.
#include <fmt/format.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "chancel/chancel.hpp"
#include "vm/test_probe.hpp"

namespace {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : rng_(seed) {}

  std::vector<std::string> program() {
    std::vector<std::string> forms;
    for (int f = 0; f < 3; ++f) forms.push_back(function(f));
    for (int k = 0; k < 2; ++k) forms.push_back(main_loop());
    forms.push_back(query());
    forms.push_back(query_with_objects());
    forms.push_back(query_by_branches());
    forms.push_back(query_with_lazy_draws());
    forms.push_back(query_with_structures());
    const char* const engines[] = {":smc",      ":pgibbs",     ":ipmcmc", ":pimh",
                                   ":pcascade", ":importance", ":pgas"};
    for (const char* name : {"q", "r", "s", "u", "w"}) {
      const std::string engine = engines[below(std::size(engines))];
      forms.push_back(fmt::format(
          "(mapv (fn [s] [(:result s) (:log-weight s)]) (take {} (doquery {} {} [[0.5 1.5 -0.25 "
          "2.0]]{})))",
          engine == ":importance" ? 100 : 40, engine, name,
          engine == ":importance" ? "" : " :number-of-particles 10"));
    }
    return forms;
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(rng_() % n); }
  const std::string& one_of(const std::vector<std::string>& v) { return v[below(v.size())]; }

  struct Scope {
    std::vector<std::string> integers, doubles, vectors;
    int functions = 0;  // f0 .. may be called
  };

  std::string integer(const Scope& s, int depth) {
    if (depth <= 0 || below(5) == 0)
      return below(3) == 0 || s.integers.empty() ? fmt::format("{}", int(below(9)) - 3)
                                                 : one_of(s.integers);
    const auto sub = [&] { return integer(s, depth - 1); };
    switch (below(16)) {
      case 0:
      case 1:
        return fmt::format("(+ {} {})", sub(), sub());
      case 2:
        return fmt::format("(- {} {})", sub(), sub());
      case 3:
        return fmt::format("(* {} {})", sub(), sub());
      case 4:
        return fmt::format("(quot {} {})", sub(), 2 + below(5));
      case 5:
        return fmt::format("(rem {} {})", sub(), below(20) == 0 ? sub() : "7");
      case 6:
        return fmt::format("(mod {} {})", sub(), below(2) ? "5" : "-3");
      case 7:
        return fmt::format("({} {} {})", below(2) ? "max" : "min", sub(), sub());
      case 8:
        return fmt::format("({} {})", below(2) ? "inc" : "dec", sub());
      case 9:
        return fmt::format("({} {} {})", below(2) ? "bit-and" : "bit-xor", sub(), sub());
      case 10:
        return fmt::format("(if {} {} {})", truth(s, depth - 1), sub(), sub());
      case 11:
        return fmt::format("(let [t {}] (+ t (rem t 3)))", sub());
      case 12:
        if (!s.vectors.empty()) return fmt::format("(count {})", one_of(s.vectors));
        return sub();
      case 13:
        return fmt::format("(abs {})", sub());
      default:
        if (s.functions == 0) return sub();
        return fmt::format("(rem (f{} {} {} 3) 1000)", below(static_cast<std::size_t>(s.functions)),
                           sub(), real(s, depth - 1));
    }
  }

  std::string real(const Scope& s, int depth) {
    if (depth <= 0 || below(5) == 0)
      return below(3) == 0 || s.doubles.empty()
                 ? fmt::format("{:.2f}", 0.25 * (double(below(20)) - 8))
                 : one_of(s.doubles);
    const auto sub = [&] { return real(s, depth - 1); };
    switch (below(12)) {
      case 0:
      case 1:
        return fmt::format("(+ {} {})", sub(), sub());
      case 2:
        return fmt::format("(* {} {})", sub(), sub());
      case 3:
        return fmt::format("(- {} {})", sub(), sub());
      case 4:
        return fmt::format("(/ {} (+ 1.5 (abs {})))", sub(), sub());
      case 5:
        return fmt::format("(sqrt (abs {}))", sub());
      case 6:
        return fmt::format("(exp (min 1.0 {}))", sub());
      case 7:
        return fmt::format("(log (+ 1.0 (abs {})))", sub());
      case 8:
        return fmt::format("(* 0.5 {})", integer(s, depth - 1));
      case 9:
        return fmt::format("(if {} {} {})", truth(s, depth - 1), sub(), sub());
      case 10:
        return fmt::format("({} {} {})", below(2) ? "max" : "min", sub(), sub());
      default:
        return fmt::format("(double {})", integer(s, depth - 1));
    }
  }

  std::string truth(const Scope& s, int depth) {
    switch (below(7)) {
      case 0:
        return fmt::format("(< {} {})", integer(s, depth - 1), integer(s, depth - 1));
      case 1:
        return fmt::format("(<= {} {})", real(s, depth - 1), real(s, depth - 1));
      case 2:
        return fmt::format("(= {} {})", integer(s, depth - 1), integer(s, depth - 1));
      case 3:
        return fmt::format("(even? {})", integer(s, depth - 1));
      case 4:
        return fmt::format("(pos? {})", real(s, depth - 1));
      case 5:
        return depth > 0 ? fmt::format("(not {})", truth(s, depth - 1)) : "true";
      default:
        return depth > 0 ? fmt::format("(and {} {})", truth(s, depth - 1), truth(s, depth - 1))
                         : "false";
    }
  }

  std::string vector(const Scope& s, int depth) {
    const std::string& v = one_of(s.vectors);
    switch (below(4)) {
      case 0:
        return fmt::format("(if (< (count {0}) 6) (conj {0} {1}) {0})", v, integer(s, depth));
      case 1:
        return fmt::format("(if (< (count {0}) 6) (conj {0} {1}) [])", v, real(s, depth));
      case 2:
        return fmt::format("(if (pos? (count {0})) (assoc {0} 0 {1}) {0})", v, integer(s, depth));
      default:
        return v;
    }
  }

  std::string function(int number) {
    Scope s{{"a", "n"}, {"x"}, {}, number};
    if (below(2)) {  // recursive
      return fmt::format(
          "(defn f{0} [a x n] (if (< n 1) {1} (+ (f{0} {2} {3} (- n 1)) (rem (f{0} {4} x (- n 2)) "
          "100))))",
          number, integer(s, 2), integer(s, 2), real(s, 2), integer(s, 2));
    }
    Scope inner = s;
    inner.integers.push_back("i");
    inner.integers.push_back("t");
    return fmt::format(
        "(defn f{0} [a x n] (loop [i 0 t {1}] (if (< i n) (recur (inc i) {2}) (rem {3} 100000))))",
        number, integer(s, 2), integer(inner, 3), integer(inner, 2));
  }

  std::string main_loop() {
    Scope s{{"i", "k"}, {"d"}, {"v"}, 3};
    return fmt::format(
        "(loop [i 0 k {} d {} v []] (if (< i 300) (recur (inc i) (rem {} 1000003) (let [d {}] (if "
        "(< "
        "-1e9 d 1e9) d 0.5)) {}) [i k d v]))",
        int(below(9)), "0.5", integer(s, 3), real(s, 3), vector(s, 2));
  }

  std::string query() {
    Scope s{{"k"}, {"x", "z", "y"}, {"v"}, 3};
    return fmt::format(
        "(defquery q [ys] (let [m (sample (normal 0 1))] (loop [ys ys x m k 0 v []] (if (seq ys) "
        "(let "
        "[y (first ys) z (sample (normal {0} {1})) b (sample (flip 0.4)) c (sample (discrete [1 2 "
        "3]))] (observe (normal (* 0.5 z) {2}) y) (recur (rest ys) (if b z x) (rem (+ c {3}) 1000) "
        "{4})) [x k v]))))",
        "(* 0.5 x)", "1.5", "(+ 0.5 (if b 1 0.25))", integer(s, 2), vector(s, 1));
  }

  // Functions and distributions that live over observes: handed on, replaced, captured, compared, shown.
  std::string query_with_objects() {
    const std::vector<std::string> distributions = {"d",
                                                    "e",
                                                    "(normal (sample d) 1.25)",
                                                    "(if b d e)",
                                                    "(normal k 2)",
                                                    "(normal (f 0.5) 1.5)",
                                                    "(nth [d e] (rem k 2))",
                                                    "(normal x k)"};
    const std::vector<std::string> functions = {"f",
                                                "g",
                                                "(if b f g)",
                                                "(fn [a] (+ (f a) x))",
                                                "(fn [a] (* 0.5 (g (+ a k))))",
                                                "(fn [a] (sample e))",
                                                "(fn [a] (observe d a) (+ a 0.5))"};
    const std::vector<std::string> ends = {
        "(= f g)",          "(= d e)",           "(:mean d)",
        "(f 1.5)",          "(str d)",           "(= d (normal 0 1))",
        "(identical? f g)", "(get {f 1 d 2} f)", "(count (set [f g d e]))"};
    Scope s{{"k"}, {"x", "m"}, {}, 0};
    return fmt::format(
        "(defquery r [ys] (let [m (sample (normal 0 1)) d0 (normal m {0}) g0 (fn [a] (+ a {1}))] "
        "(reduce (fn [_ y] (observe {2} y)) nil ys) "
        "(loop [k 1 x m d d0 e (normal 0 2) f g0 g (fn [a] (- (g0 a) m))] "
        "(if (< k 4) (let [b (sample (flip 0.5)) z (f {3})] (observe {4} (nth ys k)) "
        "(recur (inc k) (if (< -50.0 z 50.0) z 0.5) {5} {6} {7} {8})) [x k {9} {10} {11}]))))",
        below(2) ? "1.5" : "(+ 0.5 (abs m))", real({{}, {"m"}, {}, 0}, 2),
        below(2) ? "d0" : "(normal (g0 0.5) 1)", real(s, 1), one_of(distributions),
        one_of(distributions), one_of(distributions), one_of(functions), one_of(functions),
        one_of(ends), one_of(ends), one_of(ends));
  }

  // What branches choose and observes find again.
  std::string chosen(const std::vector<std::string>& from, int depth) {
    if (depth <= 0) return one_of(from);
    const std::string which = below(3) == 0   ? "(sample (flip 0.5))"
                              : below(2) == 0 ? fmt::format("(= c {})", below(4))
                                              : fmt::format("(< x {})", below(3));
    return fmt::format("(if {} {} {})", which, chosen(from, depth - 1), chosen(from, depth - 1));
  }
  std::string query_by_branches() {
    const std::vector<std::string> integers = {"1", "2", "3", "k", "(inc k)", "t"};
    const std::vector<std::string> reals = {"0.5", "1.5", "x", "z", "(* 0.5 x)"};
    const std::vector<std::string> things = {":a", ":b", "thing", "nil", "true", "[]", "(rest ys)"};
    return fmt::format(
        "(defquery s [ys] (loop [t 0 k 1 x 0.5 thing :a n 0] (if (< t 4) (let [c (sample "
        "(uniform-discrete 0 4)) z {0} k {1} thing {2}] (observe (normal {3} 1.5) (nth ys t)) "
        "(recur (inc t) k {4} {5} (+ n k))) [k x thing n])))",
        below(2) ? "(sample (normal x 1))" : "0.25", chosen(integers, 1 + int(below(3))),
        chosen(things, int(below(3))), chosen(reals, int(below(2))), chosen(reals, int(below(3))),
        chosen(things, int(below(2))));
  }

  // Draws that sequences make when they are asked for: what was worked out differs between executions.
  std::string query_with_lazy_draws() {
    const std::vector<std::string> sequences = {
        "(lazy-seq (list (sample (normal 0 1)) (sample (uniform-continuous 0 1)) 1.5))",
        "(repeatedly 3 (fn [] (sample (uniform-continuous 0 1))))",
        "(map (fn [y] (+ y (sample (normal 0 1)))) [1 2 3])", "(map (fn [y] (* 2 y)) ys)"};
    const std::vector<std::string> uses = {"(first xs)",         "(nth xs 1)",
                                           "(reduce + xs)",      "(double (count xs))",
                                           "(apply + (vec xs))", "(sample (discrete (map abs xs)))",
                                           "(+ 0.5 (second xs))"};
    const std::vector<std::string> first_uses = {"nil", "(first xs)", "(doall xs)", "(count xs)"};
    return fmt::format(
        "(defquery u [ys] (let [xs {0} b (sample (flip 0.5))] {1} (if b (do (observe (normal 0 1) "
        "0.5) (observe (normal {2} 1.5) 0.7) [1 {3}]) (do (observe (normal 0 2) 0.5) {4} (observe "
        "(normal {5} 2) 0.7) [2 {6} (vec xs)]))))",
        one_of(sequences), one_of(first_uses), one_of(uses), one_of(uses), one_of(first_uses),
        one_of(uses), one_of(uses));
  }

  // Maps with literal keys and short vectors that live over observes: taken apart, replaced, grown, nested, compared.
  std::string query_with_structures() {
    const std::vector<std::string> maps = {"m",
                                           "{:a (:b m) :b (+ (:a m) z)}",
                                           "{:a (* 0.5 z) :b (:b m)}",
                                           "(if b m {:a x :b k})",
                                           "(assoc m :a z)",
                                           "(let [{:keys [a b]} m] {:b b :a a})",
                                           "{:a {:a z} :b 1}",
                                           "{:a z}",
                                           "(hash-map :a x :b z)"};
    const std::vector<std::string> vectors = {"p",
                                              "[(nth p 1) x]",
                                              "(let [[q r] p] [r q])",
                                              "[z z]",
                                              "(if b [x k] p)",
                                              "[x p]",
                                              "(if (< (count p) 6) (conj p z) [x z])",
                                              "[k 1 x]",
                                              "(assoc p 0 z)"};
    const std::vector<std::string> numbers = {
        "x",
        "(let [{:keys [a]} m] (if (number? a) a 0.5))",
        "(let [q (get m :b 0.5)] (if (number? q) (* 0.5 q) 0.25))",
        "(let [q (first p)] (if (number? q) q 1.5))",
        "(if (= (count p) 2) 0.5 x)",
        "(let [[_ r] p] (if (number? r) (* 0.25 r) z))",
        "(if (vector? (nth p 1)) z 0.5)",
        "(reduce (fn [s q] (if (number? q) (+ s q) s)) 0.5 p)"};
    const std::vector<std::string> ends = {
        "(= m {:a x :b 1})", "(identical? m n)", "(str m p)",
        "(count m)",         "(get p 2)",        "(m :a)",
        "(= p [x 1])",       "(peek p)",         "(vec (map identity p))",
        "(contains? m :b)",  "(keys m)",         "(:c m :none)"};
    const auto tame = [&] {
      return fmt::format("(let [w {}] (if (< -20.0 w 20.0) (* 1.0 w) 0.5))", one_of(numbers));
    };
    return fmt::format(
        "(defquery w [ys] (loop [k 0 x 0.5 m {0} p {1} n nil] (if (< k 4) (let [z (sample (normal "
        "x "
        "1)) b (sample (flip 0.5)) m {2} p {3}] (observe (normal {4} 1.5) (nth ys k)) (recur (inc "
        "k) "
        "{5} {6} {7} m)) [x m p n {8} {9}])))",
        below(2) ? "{:a 0.5 :b 1}" : "{:a (sample (normal 0 1)) :b 2.0}",
        below(2) ? "[0 1.5]" : "[(sample (normal 0 1)) 2]", one_of(maps), one_of(vectors), tame(),
        tame(), one_of(maps), one_of(vectors), one_of(ends), one_of(ends));
  }

  std::mt19937_64 rng_;
};

std::string outcome(const std::vector<std::string>& forms, chancel::Tier tier) {
  chancel::CompileOptions options;
  options.tier = tier;
  const chancel::TestProbe probe{nullptr, 0, tier == chancel::Tier::Native};
  chancel::TestProbe::of_process = &probe;
  chancel::Script script(options, 7);
  std::string out;
  for (const std::string& form : forms) {
    try {
      script.evaluate(form, "case", [&](const auto& r) { out += r.text + "\n"; });
    } catch (const chancel::Error& e) {
      out += std::string("error ") + e.what() + "\n";
    }
  }
  chancel::TestProbe::of_process = nullptr;
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t seed = 1;
  std::uint64_t cases = 15;
  std::uint64_t only = ~std::uint64_t{0};
  bool plant = false;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--cases") && i + 1 < argc) cases = std::stoull(argv[++i]);
    if (!std::strcmp(argv[i], "--seed") && i + 1 < argc) seed = std::stoull(argv[++i]);
    if (!std::strcmp(argv[i], "--only") && i + 1 < argc) only = std::stoull(argv[++i]);
    if (!std::strcmp(argv[i], "--plant")) plant = true;
  }
  std::uint64_t differ = 0, errors = 0;
  for (std::uint64_t c = 0; c < cases; ++c) {
    if (only != ~std::uint64_t{0} && c != only) continue;
    const std::vector<std::string> forms = Generator(seed * 1000003 + c).program();
    std::vector<std::string> native_forms = forms;
    if (plant) {
      for (std::string& form : native_forms) {
        const std::size_t at = form.find("(+ ");
        if (at != std::string::npos) form.replace(at, 3, "(- ");
      }
    }
    const std::string vm = outcome(forms, chancel::Tier::Vm);
    const std::string native = outcome(native_forms, chancel::Tier::Native);
    if (only == c)
      for (const std::string& form : forms) fmt::print("{}\n", form);
    if (only == c) fmt::print("{}", vm);
    errors += vm.find("error ") != std::string::npos;
    const std::string evaluated = outcome(native_forms, chancel::Tier::Segment);
    if (vm == native && vm == evaluated) continue;
    ++differ;
    fmt::print("case {} of seed {} differs:\nvm:\n{}native:\n{}evaluated:\n{}", c, seed,
               vm.substr(0, 2000), native.substr(0, 2000), evaluated.substr(0, 2000));
  }
  fmt::print("{} cases, {} with an error, {} differ\n", cases, errors, differ);
  return plant ? differ == 0 : differ != 0;
}
