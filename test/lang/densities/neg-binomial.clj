;; neg-binomial: densities as R has them.
(format "%.4f" (observe* (neg-binomial 3 0.4) 7)) ;; expect: "-3.7136"
(format "%.4f" (observe* (neg-binomial 300 500) 310)) ;; expect: "-4.1314"
