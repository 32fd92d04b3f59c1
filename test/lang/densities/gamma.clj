;; gamma takes a shape and a rate.
(format "%.4f" (observe* (gamma 2 3) 0.5)) ;; expect: "0.0041"
(format "%.4f" (observe* (gamma 0.5 1) 0.1)) ;; expect: "0.4789"
(format "%.4f" (observe* (gamma 1 10) 0.2)) ;; expect: "0.3026"
(observe* (gamma 2 3) -1) ;; expect: ##-Inf
