;; The value of a query is the value of its last expression.
(defquery q [] 1 2 (+ 1 2))
(:result (first (doquery :importance q []))) ;; expect: 3
(count (take 5 (doquery :importance q []))) ;; expect: 5
