;; pareto with scale and shape is checked where both are one.
(format "%.4f" (observe* (pareto 1 1) 2)) ;; expect: "-1.3863"
(observe* (pareto 1 1) 0.5) ;; expect: ##-Inf
