;; SPDX-License-Identifier: Apache-2.0
;; Derivatives where they are easily wrong: a draw in several places of one distribution, collections of draws and constants,
;; the smallest and some large dimensions, bounds that are draws.

(defquery value-and-parameters
  (let [x (sample (normal 0 1)) s (exp x)]
    (observe (normal x s) 1.3)
    (factor (observe* (normal x s) x))
    (factor (observe* (normal x s) (+ x s)))
    (factor (observe* (gamma s s) s))
    (factor (observe* (student-t-loc-scale s x s) (* 2 x)))
    (factor (observe* (mvn [x s] [[(+ 1 s) 0.3] [0.3 (+ 2 s)]]) [s x]))
    (factor (observe* (dirichlet [s 1 s]) [0.2 0.5 0.3]))
    (factor (observe* (truncated (normal x s) (- x s) (+ x (* 2 s))) x))))

(defquery constants-among-draws
  (let [a (sample (normal 0 1)) b (sample (exponential 1))]
    (observe (mvn [0 a 1.5] [[2 0 0] [0 (+ 1 b) 0.1] [0 0.1 1]]) [a 0.3 b])
    (observe (mvn [0 0] [[(+ 2 b) (sigmoid a)] [(sigmoid a) 2]]) [1 2])
    (observe (dirichlet [2 (+ b 0.5) 1]) [0.2 0.5 0.3])
    (observe (wishart (+ 4 b) [[1 (* 0.5 (sigmoid a))] [(* 0.5 (sigmoid a)) 2]]) [[3 1] [1 2]])
    (observe (inverse-wishart (+ 4 b) [[(+ 1 b) 0.2] [0.2 2]]) [[3 1] [1 2]])
    (observe (multinomial 6 [0.2 (sigmoid a) (exp b)]) [1 2 3])
    (observe (categorical {:u (exp a) :v 2 :w b}) :v)
    (observe (lkj-cholesky 2 (+ b 0.5)) [[1 0] [(sqrt 0.19) 0.9]])
    (observe (ordered (normal a 1) 3) [-1 0 2])
    (observe (zero-inflated (sigmoid a) (poisson b)) 0)
    (observe (censored (normal a b) -1 1) 1)))

(defquery two-parts (let [p (sample (dirichlet [0.5 3]))] (observe (binomial 5 (first p)) 2)))
(defquery fifty-parts
  (let [p (sample (dirichlet (repeat 50 0.8)))] (observe (multinomial 45 p) (concat (range 10) (repeat 40 0)))
    (observe (normal (nth p 49) 0.1) 0.1)))
(defquery fifty-parts-observed
  (let [p (sample (dirichlet (repeat 50 0.8)))] (doseq [k [0 3 3 49 20 20 20]] (observe (discrete p) k))))

(defquery correlation-of-one
  (let [r (sample (lkj 1 2)) x (sample (normal 0 (get-in r [0 0])))] (observe (normal x 1) 0.4)))
(defquery correlation-of-two
  (let [r (sample (lkj 2 0.7))] (observe (mvn [0 0] r) [1 0.6])))
(defquery correlation-of-ten
  (let [r (sample (lkj 10 1.5))] (observe (mvn (vec (repeat 10 0)) r) (mapv (fn [i] (sin i)) (range 10)))))
(defquery factor-of-one
  (let [l (sample (lkj-cholesky 1 2)) x (sample (normal (get-in l [0 0]) 1))] (observe (normal x 1) 0.4)))
(defquery factor-of-ten
  (let [l (sample (lkj-cholesky 10 1.5)) z (mapv (fn [i] (cos i)) (range 10))]
    (doseq [m (mmul l z)] (observe (normal m 0.5) 0.2))))
(defquery wishart-of-one
  (let [w (sample (wishart 3 [[2]]))] (observe (normal 0 (sqrt (get-in w [0 0]))) 0.7)))
(defquery wishart-of-four
  (let [w (sample (wishart 6 (identity-matrix 4)))] (observe (mvn [0 0 0 0] w) [1 0 2 -1])
    (observe (normal (log (det w)) 1) 0)))

(defquery intervals-of-draws
  (let [a (sample (normal 0 1)) b (sample (exponential 1))
        x (sample (uniform-continuous a (+ a b)))
        y (sample (uniform-continuous x (+ 2 a b)))
        z (sample (truncated-normal x b a y))
        p (sample (pareto b 3))]
    (observe (normal (+ x y z p) 1) 0.4)))

;; Rows with one distribution, given as the same object, as equal ones and as others that begin alike.
(defquery rows-of-one-law
  (let [a (sample (normal 0 1)) b (sample (exponential 1))
        cov [[(+ 1 b) 0.3] [0.3 2]]]
    (doseq [y [[1 2] [0 1] [-1 0.5]]]
      (observe (mvn [0 a] cov) y)
      (observe (mvn [0 a] [[(+ 1 b) 0.3] [0.3 2]]) y)
      (observe (mvn [0 a] [[(+ 1 b) 0.3] [0.3 (+ 2 b)]]) y)
      (observe (truncated (normal a 2) -3 3) (first y))
      (observe (truncated (cauchy a 2) -3 3) (first y)))))
