;; The same functions as plain names.
(sqrt 16) ;; expect: 4.0
(pow 2 10) ;; expect: 1024.0
(abs -5) ;; expect: 5
(abs -5.5) ;; expect: 5.5
(floor 2.7) ;; expect: 2.0
(ceil 2.1) ;; expect: 3.0
(round 2.5) ;; expect: 3
(rint 2.5) ;; expect: 2.0
(exp 0) ;; expect: 1.0
(log 1) ;; expect: 0.0
(signum -2.0) ;; expect: -1.0
(format "%.6f" (cbrt 27.0)) ;; expect: "3.000000"
(tanh 0) ;; expect: 0.0
