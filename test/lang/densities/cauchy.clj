;; cauchy.
(format "%.4f" (observe* (cauchy 0 1) 0)) ;; expect: "-1.1447"
(format "%.4f" (observe* (cauchy 1 2) 3)) ;; expect: "-2.5310"
