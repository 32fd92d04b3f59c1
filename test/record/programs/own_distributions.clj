;; SPDX-License-Identifier: Apache-2.0
;; Draws from distributions that are made of others, in the library and in the program.

(defdist shifted [m] [base (normal m 1)]
  (sample* [this] (sample* base))
  (observe* [this x] (observe* base x)))

(defquery mixture-of-normals
  (let [x (sample (mixture [0.3 0.7] [(normal 0 1) (normal 2 0.5)]))]
    (observe (normal x 1) 0.5)
    (predict :x x)))

(defquery mixture-with-draws
  (let [mu (sample (normal 0 1))
        w (sample (dirichlet [1 1 1]))
        s (sample (gamma 2 1))
        x (sample (mixture w [(normal mu s) (student-t 4) (mixture [1 2] [(normal 0 s) (logistic mu 1)])]))]
    (observe (normal x s) 0.5)
    (predict :x x)))

(defquery mixtures-elsewhere-than-on-the-line
  (let [a (sample (mixture [1 1] [(gamma 2 1) (exponential 3)]))
        b (sample (mixture [1 1] [(beta 2 (+ 1 a)) (uniform-continuous 0 1)]))
        c (sample (mixture [1 b] [(mvn [0 a] [[1 0] [0 1]]) (mvn [b 0] [[2 0] [0 1]])]))
        d (sample (mixture [1 b] [(truncated (normal 0 a) -1 b) (truncated (cauchy 0 1) -1 b)]))]
    (observe (normal (+ a b d (first c)) 1) 0.5)
    (predict :all [a b c d])))

(defquery mixture-of-two-supports
  (let [mu (sample (normal 0 1))
        x (sample (mixture [1 2] [(normal mu 1) (exponential 1)]))]
    (observe (normal x 1) 0.5)
    (predict :x x)))

(defquery mixture-of-counts
  (let [mu (sample (normal 0 1))
        n (sample (mixture [1 2] [(poisson (exp mu)) (poisson 3)]))]
    (observe (normal n 1) 0.5)
    (predict :n n)))

(defquery counts-with-more-zeros
  (let [p (sample (beta 2 2))
        n (sample (zero-inflated p (poisson 3)))]
    (observe (normal n 1) 0.5)
    (predict :n n)))

(defquery own-distribution
  (let [x (sample (shifted 1))
        mu (sample (normal x 1))
        y (sample (shifted mu))]
    (observe (normal (+ x y) 1) 0.5)
    (predict :y y)))

(defquery bounds-that-move
  (let [a (sample (normal 0 1))
        w (sample (exponential 1))
        x (sample (truncated (normal a w) a (+ a w)))
        y (sample (truncated (uniform-continuous a (+ a w)) (- a 1) (+ a 0.5)))
        z (sample (truncated (gamma 2 1) (exp a) ##Inf))
        u (sample (ordered (uniform-continuous a (+ a w)) 3))
        v (sample (ordered (beta 2 w) 2))
        k (sample (ordered (pareto w 2) 2))]
    (observe (normal (+ x y z (first u) (second v) (second k)) 1) 0.5)
    (predict :all [x y z u v k])))

(defquery truncated-twice
  (let [x (sample (truncated (truncated (normal 0 1) 0 3) -1 2))]
    (observe (normal x 1) 0.5)
    (predict :x x)))
