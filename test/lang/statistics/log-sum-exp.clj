;; Sums in log space.
(format "%.6f" (log-sum-exp [(log 1) (log 2)])) ;; expect: "1.098612"
(format "%.6f" (log-sum-exp [-1000 -1000])) ;; expect: "-999.306853"
