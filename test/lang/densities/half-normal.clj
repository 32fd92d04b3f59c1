;; half-normal.
(format "%.4f" (observe* (half-normal 1) 0.5)) ;; expect: "-0.3508"
(observe* (half-normal 1) -0.5) ;; expect: ##-Inf
