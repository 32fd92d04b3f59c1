;; Observing vectors.
(defquery q [] (observe (mvn [0 0] [[1 0] [0 1]]) [0 0]))
(format "%.6f" (:log-weight (first (doquery :importance q [])))) ;; expect: "-1.837877"
