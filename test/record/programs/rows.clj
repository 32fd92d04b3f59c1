;; SPDX-License-Identifier: Apache-2.0
;; Loops of observes over rows of data, of which single-site steps work out all rows at once.

(def xs (map (fn [i] (/ (- (mod (* 37 i) 101) 50) 17.0)) (range 300)))
(def ys (map (fn [x i] (+ (* 0.7 x) (/ (- (mod (* 53 i) 71) 35) 30.0))) xs (range 300)))

(defquery line [xs ys]
  (let [slope (sample (normal 0 2))
        intercept (sample (normal 0 2))
        noise (sample (gamma 2 2))]
    (doseq [[x y] (map vector xs ys)]
      (observe (normal (+ intercept (* slope x)) noise) y))
    (predict :slope slope)
    [slope intercept noise]))
(def line-value [xs ys])

;; Functions of numbers, several shapes, a value that rows share, and one that is shown.
(defquery shapes [xs ys]
  (let [a (sample (normal 0 1))
        b (sample (normal 0 1))
        s (exp (sample (normal 0 0.3)))
        means (mapv (fn [x] (+ a (* b x))) (take 40 xs))]
    (doseq [[x y i] (map vector xs ys (range))]
      (cond
        (< i 40) (observe (normal (nth means i) s) y)
        (< i 90) (observe (cauchy (- a (/ x 3)) s) y)
        (< i 140) (observe (flip (/ 1 (+ 1 (exp (- (+ a (* b x))))))) (> y 0))
        (< i 190) (observe (poisson (exp (- (* b 0.1 x) a))) (mod i 4))
        (< i 195) (observe (normal (abs a) 1) y)
        (< i 250) (observe (laplace (dec (inc (- b))) (+ 0.5 (sqrt s))) y)
        :else (observe (normal (if (> a 0) b x) s) y)))
    (predict :mean (first means))
    [a b s]))
(def shapes-value [xs ys])

;; Groups of rows, one impossible half of the line, parameters that a constructor refuses.
(defquery groups [xs ys]
  (let [effects (mapv (fn [k] (sample (normal k 1))) (range 3))
        edge (sample (uniform-continuous 0 5))
        scale (sample (normal 1 0.5))]
    (doseq [[x y i] (map vector xs ys (range))]
      (observe (normal (+ x (nth effects (mod i 3))) 1.5) y)
      (when (< i 60) (observe (uniform-continuous (- -3 edge) 4) x)))
    (if (> scale 0)
      (doseq [y (take 50 ys)] (observe (normal 0 scale) y)))
    (predict :edge edge)
    effects))
(def groups-value [xs ys])

;; A draw that is an integer in some states, and a number of another kind in others.
(defquery kinds-of-numbers [ys]
  (let [k (sample (uniform-discrete 1 4))
        m (if (sample (flip 0.5)) (* 0.5 k) k)
        h (+ 0.25 k)]
    (doseq [y (take 40 ys)]
      (observe (normal (* m 0.1) h) y)
      (observe (normal (- h 1) 2) y))
    [k m]))
(def kinds-of-numbers-value [ys])
