;; dirac: everything on one value.
(observe* (dirac 5) 5) ;; expect: 0.0
(observe* (dirac 5) 6) ;; expect: ##-Inf
(observe* (dirac [1 :a]) [1 :a]) ;; expect: 0.0
