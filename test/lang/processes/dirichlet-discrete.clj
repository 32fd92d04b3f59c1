;; Counts of outcomes.
(format "%.4f" (observe* (produce (dirichlet-discrete [1 3])) 1)) ;; expect: "-0.2877"
(format "%.4f" (observe* (produce (absorb (dirichlet-discrete [1 1]) 0)) 0)) ;; expect: "-0.4055"
