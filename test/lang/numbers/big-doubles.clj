;; How large and small doubles print.
;; Same in Clojure.
1e7 ;; expect: 1.0E7
12345678.0 ;; expect: 1.2345678E7
1e21 ;; expect: 1.0E21
1e-5 ;; expect: 1.0E-5
0.00012 ;; expect: 1.2E-4
1.0e-300 ;; expect: 1.0E-300
123456.789 ;; expect: 123456.789
(/ 2.0 3) ;; expect: 0.6666666666666666
(Math/sqrt 2) ;; expect: 1.4142135623730951
1e100 ;; expect: 1.0E100
