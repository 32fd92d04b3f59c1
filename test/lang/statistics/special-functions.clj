;; Functions of mathematics.
(format "%.6f" (log-gamma-fn 5)) ;; expect: "3.178054"
(format "%.6f" (digamma 1)) ;; expect: "-0.577216"
(format "%.6f" (erf 0.5)) ;; expect: "0.520500"
(finite? 1.0) ;; expect: true
(finite? ##Inf) ;; expect: false
