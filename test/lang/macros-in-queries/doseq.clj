;; doseq with observe inside.
(defquery q [] (doseq [x [1 2] y [1 2]] (observe (flip 0.5) true)))
(format "%.6f" (:log-weight (first (doquery :importance q [])))) ;; expect: "-2.772589"
(:result (first (doquery :importance q []))) ;; expect: nil
