;; exponential takes a rate.
(format "%.4f" (observe* (exponential 2) 0.5)) ;; expect: "-0.3069"
(observe* (exponential 2) -1) ;; expect: ##-Inf
