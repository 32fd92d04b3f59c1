;; The log-weight is the sum of the log-probabilities of the observes.
(defquery q [] (observe (flip 0.5) true) (observe (flip 0.25) true) (observe (normal 0 1) 0) nil)
(format "%.6f" (:log-weight (first (doquery :importance q [])))) ;; expect: "-2.998380"
