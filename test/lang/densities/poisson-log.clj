;; poisson-log: densities as R has them.
(format "%.4f" (observe* (poisson-log 1.2) 5)) ;; expect: "-2.1076"
