;; geometric counts the failures before the first success.
(format "%.4f" (observe* (geometric 0.3) 2)) ;; expect: "-1.9173"
(format "%.4f" (observe* (geometric 0.3) 0)) ;; expect: "-1.2040"
(observe* (geometric 0.3) -1) ;; expect: ##-Inf
