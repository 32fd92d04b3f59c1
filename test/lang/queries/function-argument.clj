;; A function as argument of a query.
(defquery q [f] (f 1))
(:result (first (doquery :importance q [inc]))) ;; expect: 2
(:result (first (doquery :importance q [(fn [x] (sample (dirac (* 10 x))))]))) ;; expect: 10
