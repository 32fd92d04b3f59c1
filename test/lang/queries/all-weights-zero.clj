;; Every execution contradicts the observations.
(defquery q [] (observe (flip 1.0) false) 1) ;; expect-error: I003
(first (doquery :smc q [] :number-of-particles 10))
