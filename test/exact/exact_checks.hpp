// SPDX-License-Identifier: Apache-2.0
// The programs and expectations that exact_test and saboteur_test share.
#pragma once
#include "enumerating_source.hpp"
#include "exact_program.hpp"

namespace exact {

// One bit, two observes that cancel: the sharpest small test of particle engines.
inline constexpr const char* kTwoState = R"(
(defquery two-state []
  (let [s (sample (flip 0.5))]
    (observe (flip (if s 0.25 0.75)) true)
    (observe (flip (if s 0.75 0.25)) true)
    (predict :s s))))";

// A draw that comes and goes, and one that stays with another parameter.
inline constexpr const char* kJump = R"(
(defquery jump []
  (let [a (sample (flip 0.25))
        b (if a (sample (uniform-discrete 0 4)) 0)
        c (sample (flip (if a 0.75 0.5)))]
    (observe (flip (if c 0.75 0.25)) true)
    (observe (flip (if (= b 3) 0.75 0.5)) true)
    (predict :a a)
    (predict :b b)
    (predict :c c))))";

// A kept value may fall outside its new support.
inline constexpr const char* kShrink = R"(
(defquery shrink []
  (let [n (sample (uniform-discrete 2 5))
        k (sample (uniform-discrete 0 n))]
    (observe (flip (if (= k 1) 0.75 0.25)) true)
    (predict :n n)
    (predict :k k))))";

// A bit whose likelihood has a rational square root: half-way between prior and posterior all is
// rational.
inline constexpr const char* kQuarter = R"(
(defquery quarter []
  (let [s (sample (flip 0.5))]
    (observe (flip (if s 1 0.25)) true)
    (predict :s s))))";

// The same with a draw that comes and goes, and a hard constraint.
inline constexpr const char* kQuarterJump = R"(
(defquery quarter-jump []
  (let [a (sample (flip 0.5))
        b (if a (sample (flip 0.5)) false)]
    (observe (flip (cond b 1 a 0 :else 0.25)) true)
    (predict :a a)
    (predict :b b))))";

// One observe or two.
inline constexpr const char* kUneven = R"(
(defquery uneven []
  (let [a (sample (flip 0.5))]
    (observe (flip (if a 0.25 0.75)) true)
    (predict :a a)
    (when a
      (let [b (sample (flip 0.5))]
        (observe (flip (if b 1 0.5)) true)
        (predict :b b))))))";

// The same with halves: moves are often accepted.
inline constexpr const char* kUnevenHalves = R"(
(defquery uneven-halves []
  (let [a (sample (flip 0.5))]
    (observe (flip (if a 1 0.5)) true)
    (predict :a a)
    (when a
      (let [b (sample (flip 0.5))]
        (observe (flip (if b 1 0.5)) true)
        (predict :b b))))))";

// A draw between two observes whose chance depends on the one before.
inline constexpr const char* kChain = R"(
(defquery chain []
  (let [x (sample (flip 0.5))
        _ (observe (flip (if x 0.25 0.75)) true)
        y (sample (flip (if x 0.75 0.25)))]
    (observe (flip (if y 0.75 0.25)) true)
    (predict :x x)
    (predict :y y))))";

// Draws first, observes last, the one that needs most before the others: for the order of lines.
inline constexpr const char* kLate = R"(
(defquery late []
  (let [x (sample (flip 0.5))
        y (sample (flip (if x 0.75 0.25)))]
    (predict :y y)
    (observe (flip (if y 0.75 0.25)) true)
    (observe (flip (if x 0.25 0.75)) true)
    (predict :x x))))";

// The same with the weights of two-state.
inline constexpr const char* kLateTwoState = R"(
(defquery late-two-state []
  (let [s (sample (flip 0.5))
        z (sample (flip 0.5))]
    (predict :z z)
    (observe (flip (if s 0.25 0.75)) true)
    (observe (flip (if s 0.75 0.25)) true)
    (predict :s s))))";

// A parameter after an observe, whose distribution depends on a draw of the path.
inline constexpr const char* kLateParameter = R"(
(defquery late-parameter []
  (let [x (sample (flip 0.5))
        _ (observe (flip (if x 0.25 0.75)) true)
        y (sample :y (flip (if x 0.75 0.25)))]
    (observe (flip (if y 1 0.5)) true)
    (predict :x x)
    (predict :y y))))";

// Two places that share an address by name; in between another draw comes and goes.
inline constexpr const char* kNamed = R"(
(defquery named []
  (let [a (sample (flip 0.5))
        b (if a (sample :it (flip 0.25)) (do (sample (flip 0.5)) (sample :it (flip 0.5))))]
    (observe (flip (if b 0.75 0.25)) true)
    (predict :a a)
    (predict :b b))))";

// Values of different lengths, of which one distribution can give some and the other others: what
// is kept, drawn again and impossible depends on both distributions.
inline constexpr const char* kLengths = R"(
(defquery lengths []
  (let [z (sample (flip 0.5))
        v (sample (if z
                    (categorical [[[1] 0.5] [[1 2] 0.5]])
                    (categorical [[[1 2] 0.25] [[3] 0.5] [[3 4] 0.25]])))]
    (observe (flip (if (= (count v) 1) 0.25 0.75)) true)
    (predict :z z)
    (predict :v v))))";

// Draws that have to follow an earlier one.
inline constexpr const char* kPoints = R"(
(defquery points []
  (let [z (sample (flip 0.25))
        y (sample (dirac z))
        f (sample (categorical [[(fn [] y) 0.75] [(fn [] (not y)) 0.25]]))]
    (observe (flip (if (f) 0.75 0.25)) true)
    (predict :z z)
    (predict :f (f)))))";

// Draws inside the methods of a process and of an observed distribution.
inline constexpr const char* kMethods = R"(
(defproc noisy [p]
  (produce [this] (let [u (sample (flip p))] (predict :u u) (flip (if u 0.75 0.25))))
  (absorb [this x] this))
(defdist coin [p]
  (sample* [this] (sample* (flip p)))
  (observe* [this x]
    (let [w (sample (flip p))] (predict :w w) (observe* (flip (if w 0.75 0.25)) x))))
(defquery methods []
  (let [a (sample (flip 0.5))]
    (predict :a a)
    (observe (produce (noisy (if a 0.75 0.25))) true)
    (observe (coin (if a 0.25 0.5)) true))))";

// Draws that delayed sampling sums out; control forces one of them between two observes, and another
// is forced at the end. Forwards and backwards, all chances are quarters or halves.
inline constexpr const char* kPutOff = R"(
(defquery put-off []
  (let [k (sample (discrete [1 1]))
        _ (observe (flip (nth [0.25 0.75] k)) true)
        w (sample (discrete (nth [[1 0] [1 2]] k)))
        p (if (= w 0) [0.75 0.25] [0.5 0.25])]
    (observe (flip (nth p k)) true)
    (predict :k k)
    (predict :w w))))";

// Each draw's distribution depends on the draw before it: a proposal that an engine has fitted to an
// earlier execution differs from it at several draws of one execution.
inline constexpr const char* kCascade = R"(
(defquery cascade []
  (let [x (sample (flip 0.5))
        y (sample (flip (if x 0.75 0.25)))
        z (sample (flip (if y 0.25 0.75)))]
    (observe (flip (if (= x z) 0.75 0.25)) true)
    (predict :x x)
    (predict :y y)
    (predict :z z))))";

// One place draws from distributions of two types, and what follows comes and goes.
inline constexpr const char* kTypes = R"(
(defquery types []
  (let [a (sample (flip 0.5))
        b (sample (if a (flip 0.75) (uniform-discrete 0 4)))
        c (if (= b 3) false (sample (flip (if a 0.5 0.25))))]
    (observe (flip (if c 0.75 0.25)) true)
    (predict :a a)
    (predict :b b)
    (predict :c c))))";

// Expected weight of every state in one step of the engine (over the draws that a sweep of two or
// three particles, or one execution, gives), then the expected evidence estimate.
std::vector<double> weighted_output(Program& program, const std::string& engine,
                                    const Options& options, unsigned cells,
                                    chancel::Mistake mistake = chancel::Mistake::None,
                                    std::size_t* leaves = nullptr);

// Expected share of every state in the last of `steps` steps of a chain that starts in its target.
std::vector<double> chain_output(Program& program, const std::string& engine,
                                 const Options& options, std::size_t steps, unsigned cells,
                                 chancel::Mistake mistake = chancel::Mistake::None);

}  // namespace exact
