;; dirichlet over simplices.
(format "%.4f" (observe* (dirichlet [1 1 1]) [0.2 0.3 0.5])) ;; expect: "0.6931"
(format "%.4f" (observe* (dirichlet [2 3 4]) [0.2 0.3 0.5])) ;; expect: "2.0229"
