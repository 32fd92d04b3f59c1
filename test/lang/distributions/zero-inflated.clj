;; Zeros come from both parts.
(format "%.6f" (observe* (zero-inflated 0.25 (poisson 2)) 0)) ;; expect: "-1.045541"
(format "%.6f" (observe* (zero-inflated 0.25 (poisson 2)) 3)) ;; expect: "-2.000000"
(format "%.6f" (exp (log-sum-exp (map #(observe* (zero-inflated 1/3 (binomial 5 0.4)) %) (range 6))))) ;; expect: "1.000000"
(every? #(<= 0 % 5) (repeatedly 100 #(sample* (zero-inflated 0.5 (binomial 5 0.4))))) ;; expect: true
