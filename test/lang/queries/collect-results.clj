;; Weighted results as a distribution.
(defquery q [] (sample (dirac :a)))
(empirical-distribution (collect-results (take 10 (doquery :importance q [])))) ;; expect: {:a 1.0}
