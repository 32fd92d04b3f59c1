;; truncated-normal with mean, sd, lower and upper end.
(format "%.4f" (observe* (truncated-normal 0 1 -1 1) 0)) ;; expect: "-0.5372"
(observe* (truncated-normal 0 1 -1 1) 2) ;; expect: ##-Inf
