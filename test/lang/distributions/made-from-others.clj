;; Distributions made from a distribution of numbers.
(truncated (normal 0 1) 0 3) ;; expect: (truncated (normal 0 1) 0 3)
(format "%.4f" (observe* (truncated (normal 0 1) 0 ##Inf) 1)) ;; expect: "-0.7258"
(observe* (truncated (normal 0 1) 0 ##Inf) -1) ;; expect: ##-Inf
(format "%.4f" (exp (observe* (truncated (poisson 2) 1 ##Inf) 1))) ;; expect: "0.3130"
(every? #(<= 3 % 4) (repeatedly 100 #(sample* (truncated (normal 0 1) 3 4)))) ;; expect: true
(format "%.4f" (observe* (censored (exponential 0.5) ##-Inf 3) 3)) ;; expect: "-1.5000"
(format "%.4f" (observe* (censored (exponential 0.5) ##-Inf 3) 2)) ;; expect: "-1.6931"
(apply < (sample* (ordered (normal 0 1) 4))) ;; expect: true
(truncated (dirichlet [1 1]) 0 1) ;; expect-error: D002
