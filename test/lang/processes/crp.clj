;; Chinese restaurant: produce a distribution, absorb a guest.
(sample* (produce (CRP 1.0))) ;; expect: 0
(def p (absorb (absorb (CRP 1.0) 0) 0))
(format "%.4f" (observe* (produce p) 0)) ;; expect: "-0.4055"
(format "%.4f" (observe* (produce p) 1)) ;; expect: "-1.0986"
