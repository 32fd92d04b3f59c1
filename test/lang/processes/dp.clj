;; A Dirichlet process with a base distribution.
(def p (absorb (DP 1.0 (dirac 5)) 5))
(sample* (produce p)) ;; expect: 5
