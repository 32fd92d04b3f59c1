;; absorb leaves the old process alone.
(def p (CRP 1.0))
(def p1 (absorb p 0))
(format "%.4f" (observe* (produce p1) 1)) ;; expect: "-0.6931"
(observe* (produce p) 0) ;; expect: 0.0
