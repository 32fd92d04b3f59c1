;; Weights need not be normalised.
(defquery q [] (observe (discrete [1 3]) 1))
(format "%.6f" (:log-weight (first (doquery :importance q [])))) ;; expect: "-0.287682"
