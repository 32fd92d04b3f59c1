;; A branch that is not taken does not score.
(defquery q [] (when-not true (observe (flip 0.5) true)) (when-not false (observe (flip 0.25) true)))
(format "%.6f" (:log-weight (first (doquery :importance q [])))) ;; expect: "-1.386294"
