;; logistic: densities as R has them.
(format "%.4f" (observe* (logistic -1 0.5) 0.7)) ;; expect: "-2.7725"
