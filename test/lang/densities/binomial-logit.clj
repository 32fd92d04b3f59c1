;; binomial-logit: densities as R has them.
(format "%.4f" (observe* (binomial-logit 10 -1) 3)) ;; expect: "-1.3451"
