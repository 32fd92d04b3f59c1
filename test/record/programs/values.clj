;; SPDX-License-Identifier: Apache-2.0
;; Draws in values of every kind, and functions that look at them.

(defquery in-vectors
  (let [x (sample (normal 0 1))
        y (sample (normal 0 1))
        v [x y 3]]
    (predict :v (conj v (+ x y)))
    (predict :parts [(peek v) (pop v) (first v) (rest v) (subvec v 1) (count v) (last v) (nth v 1) (get v 0)])
    (predict :set-at (assoc v 0 y))
    (predict :equal [(= v [x y 3]) (= v [y x 3]) (= [x] [x]) (not= v v) (= (list x y) [x y])])
    (predict :sorted [(sort v) (sort > v) (sort-by - v) (reverse v) (apply max v) (reduce + v)])
    (predict :index [(some #(= % x) v) (every? pos? v) (filter pos? v)])
    (observe (normal (reduce + (map * v v)) 1) 3)))

(defquery in-maps
  (let [x (sample (normal 0 1))
        y (sample (normal 0 1))
        m {:x x :y y}]
    (predict :m (assoc m :z (* x y)))
    (predict :look [(:x m) (m :y) (get m :x) (get m :q x) (:q m y) ('s {'s x}) (find m :x) (contains? m :x)])
    (predict :in (get-in {:a {:b [x y]}} [:a :b 1]))
    (predict :updated [(update m :x inc) (assoc-in m [:u :v] x) (update-in {:a {:b x}} [:a :b] * 2)])
    (predict :merged [(merge m {:x 1 :w y}) (merge-with + m m) (dissoc m :x) (select-keys m [:y]) (into {} [[:p x]])])
    (predict :walk [(keys m) (vals m) (zipmap [:a :b] [x y]) (reduce-kv (fn [s k v] (+ s v)) 0 m)])
    (predict :equal [(= m {:x x :y y}) (= m {:x y :y x})])
    (observe (normal (+ (:x m) (m :y)) 1) 0)))

(defquery as-keys
  (let [x (sample (normal 0 1))
        m {x :x 1 :one}]
    (predict :found [(get m x) (m x) (contains? m x) (get m 0.5 :none) (count m)])
    (predict :grown [(assoc m x :again) (assoc {} x 1 [x] 2) (hash-map x 1) (zipmap [x 2] [1 2]) (conj {} [x 1]) (into {} [[x x]])])
    (predict :merged [(merge {1 2} {x 3}) (merge {} [x 1]) (dissoc m x) (select-keys m [x])])
    (predict :nested (get-in {x {x 5}} [x x]))
    (predict :groups [(group-by pos? [x 1 -1]) (frequencies [x x 1]) (distinct [x x 2])])
    (observe (normal (get {x 2} x 0) 1) 0)))

(defquery in-sets
  (let [x (sample (normal 0 1))
        s #{x 1 2}]
    (predict :s s)
    (predict :found [(s x) (contains? s x) (get s x) (s 7) (count (conj s x)) (disj s x)])
    (predict :made [(set [x x]) (into #{} [x 1]) (hash-set x) (conj #{} x) (sorted-set x 0) (into (sorted-set) [x 1])])
    (observe (normal (first (conj #{} x)) 1) 0)))

(defquery sorted-maps
  (let [x (sample (normal 0 1))
        m (sorted-map 0 x 1 :one)]
    (predict :m [m (assoc m x 2) (get m 0) (first m) (keys (conj m [x x]))])
    (observe (normal (get m 0) 1) 0)))

(defquery as-text
  (let [x (sample (normal 0 1))]
    (predict :text [(str x) (str [x] {:a x}) (pr-str (list x)) (count (str x)) (keyword (str "k" (int x)))])
    (predict (str "label " (int x)) x)
    (predict :hash [(= (hash x) (hash x)) (hash [x])])
    (predict :type [(type x) (number? x) (integer? x) (float? x) (string? x) (nil? x) (some? x) (true? x) (boolean x) (not x)])
    (predict :law [(= (type (normal x 1)) (type (normal 0 1))) (str (normal x 1)) (= (normal x 1) (normal x 1)) (:mean (normal x 1))])
    (observe (normal (count (str (int x))) 1) 1)))

(defquery memoised
  (let [f (mem (fn [k] (sample (normal k 1))))
        x (f 0)
        y (f x)]
    (predict :same [(= x (f 0)) (= y (f x))])
    (predict :xy [x y])
    (observe (normal (+ x y) 1) 1)))

(defquery memoised-by-functions
  (let [x (sample (normal 0 1))
        f (fn [] x)
        g (mem (fn [h] (+ (h) (sample (normal 0 1)))))]
    (predict :g [(g f) (g f)])
    (predict :equal [(= f f) (identical? f f) (= (g f) (g f)) (= [f x] [f x])])
    (observe (normal (+ (g f) (g f)) 1) 1)))

(defquery memoised-by-values
  (let [x (sample (normal 0 1))
        g (mem (fn [v] (+ (first v) (sample (normal 0 1)))))]
    (predict :g [(g [x 1]) (g [x 1]) (g (list x 2))])
    (observe (normal (g [x 1]) 1) 1)))

(defquery identities
  (let [x (sample (normal 0 1))
        v [x]]
    (predict :same [(identical? v v) (identical? v [x]) (= v v)])
    (observe (normal x 1) 0)))

(defquery atoms
  (let [x (sample (normal 0 1))
        a (atom x)
        b (atom [])]
    (swap! a + 1)
    (swap! b conj x)
    (swap! b conj @a)
    (reset! a (* 2 @a))
    (predict :a @a)
    (predict :b @b)
    (predict :exchanged [(compare-and-set! a @a 5) @a (compare-and-set! a 6 7) @a])
    (observe (normal (reduce + @b) 1) 0)))

(defquery stored
  (let [x (sample (normal 0 1))]
    (store :a x)
    (store :b 1 [x 2])
    (store x :under-a-draw)
    (predict :a [(retrieve :a) (retrieve :b 1) (retrieve x)])
    (observe (normal (retrieve :a) 1) 0)))

(defquery lazy
  (let [x (sample (normal 0 1))
        numbers (fn numbers [n] (lazy-seq (cons (* n x) (numbers (inc n)))))
        s (numbers 1)
        d (delay (* x 3))]
    (predict :some (take 3 s))
    (predict :second [(second s) (nth s 4) (first (drop 2 s))])
    (predict :delayed [(force d) @d (realized? d)])
    (predict :equal [(= (take 2 (numbers 0)) (list (* 0 x) x)) (= (take 2 s) [x (* 2 x)])])
    (observe (normal (reduce + (take 3 s)) 1) 0)
    (observe (mvn [0 0] [[1 0] [0 1]]) (take 2 s))))

(defquery lazy-laws
  (let [x (sample (normal 0 1))
        weights (fn weights [n] (lazy-seq (if (< n 3) (cons (exp (* n x)) (weights (inc n))))))]
    (observe (discrete (weights 0)) 1)
    (predict :z (sample (discrete (weights 0))))
    (observe (mvn (take 2 (weights 0)) [[1 0] [0 1]]) [1 2])))

(defquery closures
  (let [x (sample (normal 0 1))
        y (sample (normal 0 1))
        f (fn [a] (+ a x))
        g (comp f (partial * y))
        h (fn self [n] (if (< n 1) 0 (+ x (self (dec n)))))]
    (predict :f [(f 1) (g 2) (h 3) ((juxt f g) 1) (map f [1 2]) (apply f [y]) (apply + x y [1 2])])
    (predict :thread (-> x inc (* 2) (- y)))
    (predict :iterate (nth (iterate f 0) 3))
    (observe (normal (g 2) 1) 0)))

(defrecord Point [a b])
(defquery records
  (let [x (sample (normal 0 1))
        y (sample (normal 0 1))
        p (->Point x y)]
    (predict :p [(:a p) (get p :a) (assoc p :a 1) (= p (->Point x y)) (= p (->Point y x)) (into {} p)])
    (predict :whole p)
    (observe (normal (+ (:a p) (:b p)) 1) 0)))

(defdist shifted-law [shift law] []
  (sample* [this] (+ shift (sample* law)))
  (observe* [this value] (observe* law (- value shift))))
(defquery own-laws
  (let [x (sample (normal 0 1))
        s (sample (exponential 1))]
    (observe (shifted-law x (normal 0 s)) 0.7)
    (observe (shifted-law 1 (normal x 1)) s)
    (predict :score (observe* (shifted-law x (normal 0 1)) 2))))

(defquery destructured
  (let [x (sample (normal 0 1))
        y (sample (normal 0 1))
        [a b & more] [x y 1 x]
        {:keys [p q] :or {q y} :as all} {:p x}
        [[c] {d :d}] [[y] {:d x}]
        f (fn [u & {:keys [v w]}] (+ u v w))]
    (predict :all [a b more p q all c d (f x :v y :w 1)])
    (observe (normal (+ a q c (first more)) 1) 0)))

(defquery laws-in-collections
  (let [m (sample (normal 0 1))
        s (sample (exponential 1))
        laws [(normal m s) (normal (- m) 1) (exponential s)]
        named {:a (normal m 1)}]
    (observe (first laws) 0.3)
    (observe (:a named) 1)
    (map (fn [law y] (observe law y)) laws [0.1 0.2 0.3])
    (predict :scores (map (fn [law] (observe* law 0.5)) laws))
    (predict :z (sample (nth laws 1)))
    (predict :drawn (observe* (nth laws 2) (sample (nth laws 2))))))

(defquery scores
  (let [x (sample (normal 0 1))
        p (sample (beta 2 2))]
    (predict :s [(observe* (normal x 1) 2) (observe* (normal 0 1) x) (observe* (flip p) true) (observe* (exponential 1) x)])
    (predict :mix (log-sum-exp (+ (log p) (observe* (normal x 1) 1)) (+ (log (- 1 p)) (observe* (normal 0 1) 1))))
    (predict :of (log-sum-exp [x p 0 1/2]))
    (observe (flip p) true)
    (observe (flip p) 1)
    (observe (binomial 5 p) 2)
    (observe (poisson (exp x)) 3.0)
    (observe (normal x 1) 1)))

(defquery observed-draws
  (let [x (sample (normal 0 1))
        y (sample (normal x 1))]
    (observe (normal y 1) x)
    (observe (normal y 1) y)
    (observe (poisson 3) (floor (abs x)))
    (observe (discrete [0.2 0.8]) (if (> x 0) 1 0))
    (predict :y y)))

(defquery discrete-beside
  (let [z (sample (discrete [0.3 0.7]))
        b (sample (flip 0.4))
        n (sample (poisson 3))
        x (sample (normal (if b z n) 1))]
    (observe (normal (* x (inc z)) 1) 2)
    (observe (flip (sigmoid x)) b)
    (observe (poisson (exp x)) n)
    (predict :all [z b n x])))

(defquery drawn-weights
  (let [x (sample (normal 0 1))
        z (sample (discrete [(exp x) 1 2]))
        c (sample (categorical [[:a (exp x)] [:b 1]]))]
    (observe (normal (+ x z) 1) 1)
    (predict :zc [z c])))

(defquery wide-laws
  (let [w (sample (dirichlet [1 2 3]))
        v (sample (mvn [0 1] [[2 0.5] [0.5 1]]))]
    (observe (discrete w) 1)
    (observe (normal (first v) 1) (second v))
    (observe (mvn v [[1 0] [0 1]]) [0.3 0.1])
    (predict :w w)
    (predict :v v)))

(defquery processes
  (let [alpha (sample (gamma 2 1))
        x (sample (normal 0 1))
        z (loop [p (CRP alpha) n 0 zs []]
            (if (< n 3) (let [z (sample (produce p))] (recur (absorb p z) (inc n) (conj zs z))) zs))]
    (observe (normal (* x (count (distinct z))) 1) 1)
    (predict :z z)))

(defquery gaussian-processes
  (let [length (sample (gamma 2 1))
        p (GP (fn [t] (* length t)) (fn [a b] (exp (- (/ (abs (- a b)) length)))))]
    (observe ((produce p) 1) 0.5)
    (observe ((produce (absorb p [1 0.5])) 2) 0.7)
    (predict :l length)))

(defquery evaluated
  (let [x (sample (normal 0 1))]
    (predict :e [(eval (list '+ x 1))])
    (observe (normal x 1) 0)))

(defquery arrays
  (let [x (sample (normal 0 1))
        y (sample (normal 0 1))]
    (predict :sums [(sum [x y]) (mean [x y 1]) (reduce + [x y]) (mmul [[x 1] [0 y]] [1 2]) (dot [x y] [1 x])])
    (observe (normal (sum [x y]) 1) 0)))

(defquery conversions
  (let [x (sample (normal 0 3))]
    (predict :c [(int x) (long x) (double x) (float x) (num x) (round x) (quot x 1) (rem x 1) (mod x 1) (rationalize 0.5)])
    (predict :d [(inc' x) (dec' x) (+' x 1) (*' x 2) (-' x) (even? (int x)) (bit-and (int x) 1)])
    (predict :zeros [(- (* 0 x)) (- 0.0 (* 0 x)) (* -1 (* 0.0 x)) (/ (abs x)) (+ x) (* x) (- x) (+ 1 2 x 3) (* 2 3 x) (- 10 3 x) (/ 6 3 x) (/ x 2 3)])
    (observe (normal (rem x 1) 1) 0)))

(defquery metadata
  (let [x (sample (normal 0 1))
        v (with-meta [x] {:unit x})
        f (mem (fn [u] (:unit (meta u))))]
    (predict :m [(meta v) (:unit (meta v)) (meta (conj v 1)) (f v)])
    (observe (normal x 1) 0)))

(defquery deeply-nested
  (let [x (sample (normal 0 1))
        deep (loop [i 0 v [x]] (if (< i 30000) (recur (inc i) (if (even? i) [v] (list v))) v))]
    (predict :same [(= deep deep) (identical? deep deep)])
    (observe (normal x 1) 0.5)))

(defquery functions-of-each-other
  (let [x (sample (normal 0 1))
        even (fn even [self n] (if (< n 1) x ((self :odd) self (dec n))))
        odd (fn odd [self n] (if (< n 1) (- x) ((self :even) self (dec n))))
        both {:even even :odd odd}
        g (mem (fn [fs] (+ ((fs :even) fs 3) (sample (normal 0 1)))))]
    (predict :g [(g both) (g both) (= both both)])
    (observe (normal (g both) 1) 1)
    (letfn [(up [n] (if (> n 2) x (down (inc n)))) (down [n] (if (> n 2) (- x) (up (inc n))))]
      (predict :h [((mem (fn [f] (f 0))) up) ((mem (fn [f] (f 0))) down) (= up up) (= [up] [up] [down])]))))
