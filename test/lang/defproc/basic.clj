;; A process of the program's own.
(defproc counting [n] (produce [this] (dirac n)) (absorb [this x] (counting (+ n x))))
(def p (counting 1))
(sample* (produce p)) ;; expect: 1
(sample* (produce (absorb p 10))) ;; expect: 11
(:n p) ;; expect: 1
