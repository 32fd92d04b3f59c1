;; An engine's estimate of a certain result is exact.
(defquery inner [x] (sample (dirac (* 2 x))))
(defquery q [] (observe ((conditional inner :smc) 4) 8))
(:log-weight (first (doquery :importance q []))) ;; expect: 0.0
