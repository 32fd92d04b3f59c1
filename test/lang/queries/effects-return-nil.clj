;; observe and predict return nil.
(defquery q [] [(observe (flip 0.5) true) (predict :x 1)])
(:result (first (doquery :importance q []))) ;; expect: [nil nil]
