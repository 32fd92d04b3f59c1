;; SPDX-License-Identifier: Apache-2.0
;; Rows of one shape, and what keeps rows from being of one shape.
(def xs (mapv (fn [i] (/ (- (mod (* 7 i) 41) 20) 10.0)) (range 300)))
(def ys (mapv (fn [i] (/ (- (mod (* 11 i) 31) 15) 5.0)) (range 300)))
(def counts (mapv (fn [i] (mod (* 5 i) 7)) (range 300)))
(def groups (mapv (fn [i] (mod (* 3 i) 10)) (range 300)))
(def matrix-x (mapv (fn [x y] [x y (* x y) 1.0]) xs ys))

(defquery one-loop []
  (let [a (sample (normal 0 1)) b (sample (normal 0 1)) s (sample (gamma 2 2))]
    (doseq [[x y] (map vector xs ys)] (observe (normal (+ a (* b x)) s) y))
    (predict :a a)))

(defquery matrix-rows []
  (let [beta (vec (repeatedly 4 (fn [] (sample (normal 0 1))))) s (sample (gamma 2 2))]
    (map (fn [row y] (observe (normal (dot row beta) s) y)) matrix-x ys)
    (doseq [[row c] (map vector matrix-x counts)]
      (observe (poisson (exp (* 0.1 (reduce + (map * row beta))))) c))
    (predict :mean (first (mmul matrix-x beta)))))

(defquery means-first []
  (let [beta (vec (repeatedly 4 (fn [] (sample (normal 0 1)))))
        means (mapv (fn [row] (dot row beta)) matrix-x)
        means-again (mmul matrix-x beta)]
    (doseq [[m y] (map vector means ys)] (observe (normal m 1) y))
    (doseq [[m y] (map vector means-again ys)] (observe (laplace m 1) y))
    (predict :means means)))

(defquery two-observes-a-row []
  (let [a (sample (normal 0 1)) b (sample (normal 0 1))]
    (doseq [[x y c] (map vector xs ys counts)]
      (let [m (+ a (* b x))]
        (observe (normal m 1.5) y)
        (observe (poisson (exp (* 0.2 m))) c)))
    (predict :a a)))

(defquery groups-of-rows []
  (let [tau (sample (gamma 2 2))
        effects (mapv (fn [_] (* tau (sample (normal 0 1)))) (range 10))]
    (doseq [[g y] (map vector groups ys)] (observe (normal (nth effects g) 1) y))
    (doseq [[g y] (sort-by first (map vector groups ys))]
      (observe (student-t-loc-scale 4 (nth effects g) 1) y))
    (predict :effects effects)))

(defquery branches []
  (let [a (sample (normal 0 1)) b (sample (normal 0 1)) s (sample (gamma 2 2))]
    (doseq [[x y c] (map vector xs ys counts)]
      (cond (< x -1) (observe (normal a s) y)
            (even? c) (observe (exponential (* 2 s)) c)
            (> x 1.2) (observe (cauchy (- b (* x a)) (+ s 0.5)) y)
            :else (observe (normal (+ a b) (* 2 s)) y)))
    (predict :s s)))

(defquery recurrence []
  (let [phi (sample (normal 0 0.3)) theta (sample (normal 0 0.3)) s (sample (gamma 2 2))]
    (loop [before 0 error 0 left ys]
      (when (seq left)
        (let [now (- (first left) (+ (* phi before) (* theta error)))]
          (observe (normal 0 s) now)
          (recur (first left) now (rest left)))))
    (predict :s s)))

(defquery volatility []
  (let [mu (sample (normal 0 1)) phi (sample (uniform-continuous -0.9 0.9))]
    (loop [h mu left (take 60 ys)]
      (when (seq left)
        (let [now (+ mu (* phi (- h mu)) (* 0.2 (sample (normal 0 1))))]
          (observe (normal 0 (exp (/ now 2))) (first left))
          (recur now (rest left)))))
    (predict :phi phi)))

(defquery draws-in-rows []
  (let [mu (sample (normal 0 1)) tau (sample (gamma 2 2))
        thetas (doall (map (fn [y]
                             (let [theta (sample (normal mu tau))]
                               (observe (normal theta 0.7) y)
                               theta))
                           (take 40 ys)))]
    (predict :total (reduce + thetas))
    (predict :first (first thetas))))

(defquery comparisons-in-rows []
  (let [a (sample (normal 0 1)) s (sample (gamma 2 2))]
    (doseq [[x y] (map vector xs ys)]
      (observe (normal (if (> x a) (* 2 a) (+ a x)) s) y))
    (predict :a a)))

(defquery scores-by-hand []
  (let [w (sample (beta 2 2)) m1 (sample (normal -1 1)) m2 (sample (normal 1 1))]
    (doseq [y ys]
      (factor (log-sum-exp (+ (log w) (observe* (normal m1 1) y))
                           (+ (log (- 1 w)) (observe* (normal m2 1) y)))))
    (predict :w w)))

(defquery predictions []
  (let [a (sample (normal 0 1)) b (sample (normal 0 1))]
    (doseq [[x y] (map vector xs ys)] (observe (normal (+ a (* b x)) 1) y))
    (predict :fitted (mapv (fn [x] (+ a (* b x))) (take 30 xs)))
    (predict :new (mapv (fn [x] (sample (normal (+ a (* b x)) 1))) (take 30 xs)))))

(defquery nothing-varies []
  (let [a (sample (normal 0 1))]
    (dotimes [_ 50] (observe (normal (* 2 a) 1) 0.5))
    (dotimes [_ 50] (observe (normal 0 1) 0.5))
    (doseq [y ys] (observe (normal 0 1) y))
    (predict :a a)))

(defquery softmax-rows []
  (let [b (vec (repeatedly 3 (fn [] (sample (normal 0 1)))))]
    (doseq [[x c] (map vector xs counts)]
      (observe (discrete (softmax (mapv (fn [k] (* x k)) b))) (mod c 3))
      (observe (categorical-logit (mapv (fn [k] (+ x k)) b)) (mod c 3)))
    (predict :b b)))
