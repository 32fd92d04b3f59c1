;; log-normal.
(format "%.4f" (observe* (log-normal 0 1) 1)) ;; expect: "-0.9189"
(format "%.4f" (observe* (log-normal 0.5 2) 3)) ;; expect: "-2.7555"
(observe* (log-normal 0 1) -1) ;; expect: ##-Inf
