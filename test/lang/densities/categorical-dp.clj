;; A Dirichlet process predictive mixes atoms and base.
(format "%.4f" (observe* (produce (DP 2 (normal 0 1))) 0.5)) ;; expect: "-1.0439"
