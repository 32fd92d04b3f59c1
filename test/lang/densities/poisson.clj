;; poisson; rate zero is the point mass at zero.
(format "%.4f" (observe* (poisson 4) 6)) ;; expect: "-2.2615"
(format "%.4f" (observe* (poisson 0.5) 0)) ;; expect: "-0.5000"
(observe* (poisson 4) -1) ;; expect: ##-Inf
(observe* (poisson 4) 1.5) ;; expect: ##-Inf
(observe* (poisson 0) 6) ;; expect: ##-Inf
(observe* (poisson 0) 0) ;; expect: 0.0
