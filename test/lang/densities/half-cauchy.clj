;; half-cauchy: densities as R has them.
(format "%.4f" (observe* (half-cauchy 2.5) 4)) ;; expect: "-2.6376"
