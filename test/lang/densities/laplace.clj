;; laplace: statistics of the reference's tests, which it holds to 1e-4.
(format "%.4f" (observe* (laplace 2.1 1.4) 1)) ;; expect: "-1.8153"
(format "%.4f" (observe* (laplace 2.1 1.4) 2)) ;; expect: "-1.1010"
(format "%.4f" (observe* (laplace 2.1 1.4) 10)) ;; expect: "-6.6725"
