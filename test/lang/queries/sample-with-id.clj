;; sample and observe with a checkpoint name.
(defquery q [] (observe [:y 1] (flip 0.5) true) (sample [:x 0] (dirac :v)))
(:result (first (doquery :importance q []))) ;; expect: :v
