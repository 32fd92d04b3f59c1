;; Without an engine it is importance sampling.
(defquery inner [a b] [a b])
(defquery q [] (sample ((conditional inner) 1 2)))
(:result (first (doquery :importance q []))) ;; expect: [1 2]
