;; laplace: figures of the reference's tests.
(format "%.4f" (observe* (laplace 2.1 1.4) 1)) ;; expect: "-1.8153"
(format "%.4f" (observe* (laplace 2.1 1.4) 2)) ;; expect: "-1.1011"
(format "%.4f" (observe* (laplace 2.1 1.4) 10)) ;; expect: "-6.6725"
