;; A predictive draw is a draw; it may come from any distribution, also one of the program.
(defquery coin []
  (observe (flip 0.5) true)
  (predict :next (generate (dirac 7))))
(println (get-predicts (first (doquery :importance coin []))))
;; expect: {:next 7}
