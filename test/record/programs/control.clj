;; SPDX-License-Identifier: Apache-2.0
;; Control that depends on continuous draws: each query takes one path or another.

(defquery branch-if
  (let [x (sample (normal 0 1))
        y (sample (normal 0 1))]
    (observe (normal (if (< x y) (* 2 x) (- y)) 1) 0.5)
    (predict :x x)
    (predict :less (< x y))))

(defquery branch-cond
  (let [x (sample (normal 0 1))]
    (observe (normal (cond (> x 1) (exp x) (>= x 0.5) 3 (<= x -1) (- x) (== x 0) 7 :else (* x x)) 1) 0.5)
    (predict :x x)))

(defquery branch-case
  (let [x (sample (normal 0 2))]
    (observe (normal (case (int (floor x)) 0 x 1 (* 2 x) -1 5 (- x)) 1) 0.3)
    (predict :whole (int (floor x)))))

(defquery branch-when-not
  (let [x (sample (normal 0 1))]
    (when-not (neg? x) (observe (normal x 1) 2))
    (if-not (pos? x) (observe (normal (* x x) 1) 1))
    (predict :zero (zero? x))
    (predict :and (and (< -1 x 1) (> 2 x -2)))
    (predict :or (or (< x -1) (> x 1)))))

(defquery every-comparison
  (let [x (sample (normal 0 1))
        y (sample (normal 0 1))]
    (predict :lt (< x y))
    (predict :le (<= x y))
    (predict :gt (> x y))
    (predict :ge (>= x y))
    (predict :eq (== x y))
    (predict :same (= x y))
    (predict :other (not= x y))
    (predict :itself [(= x x) (== x x) (not= x x) (< x x) (<= x x)])
    (predict :chain [(< x y 1) (<= -1 x y 1) (> 1 x y -1) (>= x 0 y) (== x x x) (= x x x) (= x y y)])
    (predict :integer [(= x 0) (== x 0) (< x 0) (> 1 x) (not= 1 x)])
    (predict :ratio [(< x 1/3) (> x 1/3) (= x 1/3) (+ x 1/3) (* 2/7 x)])
    (predict :nothing [(= x nil) (not= x nil) (= x :a) (= x "x") (= x [x]) (= x ()) (= x true)])
    (observe (normal x 1) 0)))

(defquery not-a-number
  (let [x (sample (normal 0 1))
        n (sqrt x)]
    (predict :n n)
    (predict :lt [(< n 1) (> n 1) (<= n n) (>= n n) (== n n) (= n n) (not= n n)])
    (predict :extreme [(max n 0.5) (min n 0.5) (max 0.5 n) (min 0.5 n 7) (max x n) (min n x)])
    (predict :sign [(zero? n) (pos? n) (neg? n)])
    (observe (normal (if (< n 0.7) x (- x)) 1) 0)))

(defquery infinite
  (let [x (sample (normal 0 1))
        big (exp (* 1000 x))]
    (predict :big [big (/ 1 big) (- big) (/ x 0.0) (/ x 0) (log big)])
    (predict :lt [(< big 1e300) (== big big) (max big 3) (min big 3)])
    (observe (normal (if (< big 1) x 0.2) 1) 0)))

(defquery extremes
  (let [x (sample (normal 0 1))
        y (sample (normal 0 1))]
    (predict :max (max x y))
    (predict :min (min x y 0))
    (predict :ints [(max 0 x) (min 0 x) (max x 0 y 1) (max x) (min x)])
    (predict :tie [(max x x) (max 0.0 (* 0.0 x)) (min 0 (- x x))])
    (predict :many (apply max [x y 0.3]))
    (observe (normal (max x y) 1) 0)))

(defquery trips
  (let [x (sample (exponential 1))]
    (predict :steps (loop [i 0 sum x] (if (< sum 3) (recur (inc i) (+ sum x 0.1)) i)))
    (observe (normal (loop [z x] (if (> z 1) (recur (/ z 2)) z)) 1) 0.5)))

(defquery while-sum
  (let [a (sample (normal 1 1))]
    (predict :sum (reduce (fn [s i] (if (> s 2) (reduced s) (+ s (abs a) i))) 0 (range 10)))
    (predict :reduced (reduce (fn [s y] (if (> (+ s y) a) (reduced [:stopped s]) (+ s y))) 0.0 [0.1 0.4 0.8 1.6]))
    (observe (normal (reduce (fn [s y] (if (> y a) (reduced s) (+ s (* a y)))) 0.0 [0.1 0.4 0.8 1.6]) 1) 1)))

(defquery structure-changes
  (let [x (sample (normal 0 1))
        y (if (> x 0) (sample (normal x 1)) 0)]
    (observe (normal y 1) 0.2)
    (predict :x x)
    (predict :y y)))

(defquery kind-changes
  (let [x (sample (normal 0 1))
        y (sample (if (> x 0) (normal x 1) (exponential (exp x))))]
    (observe (normal y 1) 0.2)
    (predict :y y)))

(defquery bounds-are-draws
  (let [a (sample (normal 0 1))
        w (sample (exponential 1))
        u (sample (uniform-continuous a (+ a w)))]
    (observe (normal u 1) 0.2)
    (predict :u u)))

(defquery truncated-support
  (let [x (sample (normal 0 1))]
    (observe (uniform-continuous (- (abs x)) (abs x)) 0.3)
    (predict :x x)))

(defquery impossible-regions
  (let [x (sample (normal 0 1))]
    (observe (exponential 1) x)
    (observe (normal (sqrt x) 1) 0)
    (predict :x x)))

(defquery refused-regions
  (let [x (sample (normal 0 1))]
    (observe (normal 0 x) 0.5)
    (predict :x x)))

(defquery indices
  (let [x (sample (uniform-continuous 0 3))
        v [10 20 30]]
    (predict :nth (nth v (int x)))
    (predict :get (get v (int x) :none))
    (predict :call (v (int x)))
    (predict :take (take (int x) v))
    (observe (normal (nth v (int x)) 10) 15)))

(defquery thrown
  (let [x (sample (normal 0 1))]
    (predict :caught (try (if (> x 0) (throw (ex-info "positive" {:x x})) :no)
                          (catch Exception e [(.getMessage e) (:x (ex-data e))])))
    (observe (normal (try (nth [1 2] (int (floor x))) (catch Exception e x)) 1) 0.3)))

(defquery thrown-by-laws
  (let [x (sample (normal 0 1))]
    (predict :law (try (do (normal 0 x) :fine) (catch Exception e :refused)))
    (predict :score (try (observe* (normal 0 x) 1) (catch Exception e -1)))
    (try (observe (normal 0 x) 0.5) (catch Exception e (observe (normal x 1) 0.2)))
    (predict :x x)))

(defquery law-not-used
  (let [x (sample (normal 0 1))
        laws [(normal 0 1) (normal 0 x)]]
    (observe (first laws) 0.4)
    (predict :x x)))

(defquery finally-done
  (let [x (sample (normal 0 1))
        a (atom 0)]
    (try (if (> x 0) (throw (ex-info "positive" {}))) (catch Exception e (reset! a x)) (finally (swap! a + x)))
    (predict :a @a)
    (observe (normal @a 1) 0)))

(defquery wide-law-not-used
  (let [x (sample (normal 0 1))
        laws [(normal 0 1) (discrete [x 1]) (dirichlet [x 2])]]
    (observe (first laws) 0.4)
    (predict :x x)))

(defquery equal-steps
  (let [x (sample (normal 0 1))
        y (sample (normal 0 1))]
    (observe (normal (if (= (floor x) 0.0) x (- x)) 1) 0.5)
    (observe (normal (case (signum y) 1.0 y -1.0 3 0) 1) 0.5)
    (predict :same [(= (floor x) (floor y)) (not= (relu x) 0.0) (= (relu x) (relu y))])))

(defdist rooted [q] [] (sample* [this] q) (observe* [this value] (- (sqrt q))))
(defquery scores-that-are-caught
  (let [x (sample (normal 0 1))]
    (try (observe (rooted x) 1) (catch Exception e (observe (normal x 1) 0.2)))
    (predict :x x)))

(defquery shared-by-rows
  (let [x (sample (normal 0 1))
        s (sample (exponential 1))]
    (map (fn [t y] (observe (normal (/ t s) 1) y)) (range 1 20) (range 20))
    (map (fn [t y] (observe (normal (pow t x) s) y)) (range 1 20) (range 20))
    (predict :x x)))
