;; SPDX-License-Identifier: Apache-2.0
;; Branches on draws: both ways are recorded where they only compute.

(defm spin [] (if (sample (flip 0.5)) 1 -1))

(defquery spins []
  (let [a (spin) b (spin) c (spin)]
    (observe (normal (* 0.7 a b) 1) 0.4)
    (observe (normal (+ b c) 1) -0.3)
    (predict :all [a b c])
    (+ a b c)))

(defquery cases []
  (let [k (sample (discrete [1 2 3 4]))
        x (case k 0 -1.5 1 0.25 2 2 7)
        name (case k 0 :zero 1 :one :many)
        y (cond (= k 0) x (= k 1) (* 2 x) (< k 3) (- x 1) :else (/ x 2))]
    (observe (normal (+ x y) 1) 1)
    (predict :name name)
    [x y]))

(defquery thresholds []
  (let [x (sample (normal 0 1))
        y (sample (normal 0 1))
        low (if (< x y) x y)
        high (if (<= x y) y x)
        clipped (if (> x 1) 1 (if (>= -1 x) -1 x))
        sign (cond (pos? y) 1 (neg? y) -1 :else 0)]
    (observe (normal low 1) 0.2)
    (observe (normal (+ high clipped) 1) 0.5)
    (predict :sign sign)
    [low high clipped]))

(defquery truths []
  (let [a (sample (flip 0.4))
        b (sample (flip 0.7))
        c (sample (poisson 2))
        both (and a b)
        either (or a b)
        neither (not (or a b))
        odd (when (odd? c) :odd)
        one (if-not a 0.3 0.8)
        two (if (nil? odd) 0.1 0.9)]
    (observe (flip (if both one two)) true)
    (observe (flip (if (and either (not neither)) 0.6 0.2)) false)
    (predict :odd odd)
    (predict :all [both either neither])))

;; Ways with calls of functions that have no effect.
(defn tilt [x way] (if (= way :up) (+ x 1) (- x 1)))
(defn twice [x] (* 2 x))
(defquery calls []
  (let [way (if (sample (flip 0.3)) :up :down)
        x (sample (normal 0 1))
        y (if (= way :up) (tilt (twice x) way) (tilt x way))
        z (if (sample (flip 0.5)) (nth [10 20 30] 1) (get {:a 4} :a))]
    (observe (normal y 1) 1.5)
    (observe (normal (/ z 10) 1) 1)
    [way y z]))

;; The way that is not taken may fail.
(defquery failing-ways []
  (let [n (sample (poisson 1))
        x (if (zero? n) 0 (/ 6 n))
        y (if (> n 2) (nth [1 2 3] (- n 3) 5) (nth [4 5 6] n))
        z (if (= n 0) (Math/sqrt 2) (log n))]
    (observe (normal (+ x y z) 2) 4)
    (predict :x x)
    y))

;; Branches that draw or observe, which are guarded, with others inside.
(defquery guarded []
  (let [a (sample (flip 0.5))
        k (if (sample (flip 0.5)) 2 3)
        x (if a (sample (normal k 1)) (if (= k 2) 0.5 1.5))]
    (if (sample (flip 0.8))
      (observe (normal x 1) 1)
      (when (= k 3) (observe (normal x 2) -1)))
    (predict :k k)
    x))

;; What a way gives may be a distribution, a keyword, text, nil or truth; collections stay what they are.
(defquery kinds []
  (let [a (sample (flip 0.5))
        b (sample (uniform-discrete 0 3))
        d (if a (normal 0 1) (normal 3 2))
        e (if (= b 0) (normal 0 1) (exponential 2))
        x (sample d)
        v (if a [x 1] [b x 2])
        m (if (= b 1) {:x x} {:x 1 :y b})]
    (observe e 0.7)
    (observe (normal (count v) 1) 2)
    (predict :text (if a "yes" "no"))
    (predict :v v)
    (predict :m (:x m))
    (if (= b 2) nil x)))

(defquery early-return []
  (let [f (fn [x k] (cond (= k 0) x
                          (= k 1) (let [y (* x x)] (if (> y 1) 1 y))
                          :else (- x)))
        k (sample (discrete [1 1 1]))
        x (sample (normal 0 1))
        y (f x k)]
    (observe (normal y 0.5) 0.8)
    (predict :y y)
    (loop [i 0 sum 0]
      (if (= i 3)
        sum
        (recur (inc i) (+ sum (if (= i k) y 0)))))))

(defquery order-of-nan []
  (let [x (sample (normal 0 1))
        r (Math/sqrt x)
        a (if (< r 1) 1 2)
        b (if (<= r 1) 3 4)
        c (if (> r 1) 5 6)
        d (if (= r r) 7 8)]
    (observe (normal (+ a b c d) 3) 18)
    [a b c d]))
