;; von-mises: densities as R has them.
(format "%.4f" (observe* (von-mises 0.5 2) 1)) ;; expect: "-0.9067"
