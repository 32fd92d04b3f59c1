;; sample gives the value of the distribution.
(defquery q [] [(sample (dirac 5)) (sample (flip 1)) (sample (flip 0)) (sample (bernoulli 1)) (sample (discrete [0 0 1]))])
(:result (first (doquery :importance q []))) ;; expect: [5 true false 1 2]
