;; Floating-point literals.
;; Same in Clojure.
1.5 ;; expect: 1.5
-0.25 ;; expect: -0.25
1e3 ;; expect: 1000.0
1.5e-7 ;; expect: 1.5E-7
6.02E23 ;; expect: 6.02E23
1. ;; expect: 1.0
-0.0 ;; expect: -0.0
100000000.0 ;; expect: 1.0E8
12345678.9 ;; expect: 1.23456789E7
0.001 ;; expect: 0.001
0.0001 ;; expect: 1.0E-4
