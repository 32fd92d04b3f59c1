;; A distribution made from a query.
(defquery inner [x] (sample (dirac (* 2 x))))
(defquery q [] (sample ((conditional inner :importance) 21)))
(:result (first (doquery :importance q []))) ;; expect: 42
