;; map, reduce and filter over long sequences in a query.
(defquery q [n] (reduce + (map (fn [x] (sample (dirac x))) (range n))))
(:result (first (doquery :importance q [50000]))) ;; expect: 1249975000
