;; What was made outside a query is not mixed up with what is made inside, and has the state of the time when the query is run.
(def a (atom 5))
(reset! a 6)
(def f (mem (fn [x] (* 10 x))))
(f 2)
(def xs (map inc [1 2 3]))
(def ys (map dec [10 20 30]))
(def later (delay :outside))
(def tables (crp 1.0))
(defquery q [us vs]
  (let [b (atom 9)
        g (mem (fn [x] (* 100 x)))
        here (delay :inside)
        flips (beta-bernoulli 1.0 1.0)]
    (reset! b 10)
    [(g 1) (f 1) (f 2) @b @a (vec xs) (vec ys) (vec us) (vec vs) @here @later (tables) (boolean? (flips))]))
(defn result [] (:result (first (doquery :importance q [(map - [1 2]) (map + [3 4])]))))
(result) ;; expect: [100 10 20 10 6 [2 3 4] [9 19 29] [-1 -2] [3 4] :inside :outside 0 true]
(result) ;; expect: [100 10 20 10 6 [2 3 4] [9 19 29] [-1 -2] [3 4] :inside :outside 0 true]
;; A query that changes them changes its own.
(defquery change (reset! a 7) @a)
(:result (first (doquery :importance change nil))) ;; expect: 7
@a ;; expect: 6
