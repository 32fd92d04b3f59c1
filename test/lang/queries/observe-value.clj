;; observe and predict give nil wherever they stand.
(defquery q [] [(observe (normal 0 1) 0) (predict :a 1) (do (observe (normal 0 1) 0))])
(:result (first (doquery :smc q []))) ;; expect: [nil nil nil]
(:result (first (doquery :lmh q []))) ;; expect: [nil nil nil]
