;; binomial.
(format "%.4f" (observe* (binomial 5 0.3) 2)) ;; expect: "-1.1754"
(format "%.4f" (observe* (binomial 5 0.3) 0)) ;; expect: "-1.7834"
(observe* (binomial 5 0.3) 6) ;; expect: ##-Inf
(observe* (binomial 5 0.3) 2.5) ;; expect: ##-Inf
