;; neg-binomial-log: neg-binomial by the logarithm of the mean.
(format "%.6f" (observe* (neg-binomial-log 1.3 2) 4)) ;; expect: "-2.214658"
(format "%.4f" (observe* (neg-binomial-log -800 2) 1)) ;; expect: "-800.0000"
(neg-binomial-log 40 2) ;; expect-error: D001
