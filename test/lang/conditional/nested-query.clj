;; query inside a query.
(defquery q [y] (let [inner (query [x] (sample (dirac (+ x y))))] (sample ((conditional inner :importance) 1))))
(:result (first (doquery :importance q [10]))) ;; expect: 11
