;; beta on the open unit interval.
(format "%.4f" (observe* (beta 2 3) 0.4)) ;; expect: "0.5470"
(format "%.4f" (observe* (beta 0.5 0.5) 0.1)) ;; expect: "0.0592"
(observe* (beta 2 3) 1.5) ;; expect: ##-Inf
(observe* (beta 2 3) -0.1) ;; expect: ##-Inf
