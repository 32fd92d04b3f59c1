;; gumbel: densities as R has them.
(format "%.4f" (observe* (gumbel 2 1.5) 1)) ;; expect: "-1.6865"
