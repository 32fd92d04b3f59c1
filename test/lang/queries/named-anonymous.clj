;; query with a name and parameters.
(def q (query doubled [x] (* 2 x)))
(:result (first (doquery :importance q [4]))) ;; expect: 8
