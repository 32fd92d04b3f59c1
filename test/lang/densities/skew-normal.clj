;; skew-normal: 2 / scale phi(z) Phi(shape z).
(format "%.6f" (observe* (skew-normal 0 1 2) 1)) ;; expect: "-0.748804"
(format "%.6f" (observe* (skew-normal 1 2 -3) 0.5)) ;; expect: "-1.207183"
(= (observe* (skew-normal 1 2 0) 0.5) (observe* (normal 1 2) 0.5)) ;; expect: true
(skew-normal 0 0 1) ;; expect-error: D001
