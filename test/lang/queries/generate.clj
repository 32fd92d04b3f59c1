;; A predictive draw is a draw.
(defquery coin []
  (observe (flip 0.5) true)
  (predict :next (generate (dirac 7))))
(get-predicts (first (doquery :importance coin []))) ;; expect: {:next 7}
