;; Functions of java.lang.Math.
;; Same in Clojure.
(Math/sqrt 16) ;; expect: 4.0
(Math/pow 2 10) ;; expect: 1024.0
(Math/abs -5) ;; expect: 5
(Math/abs -5.5) ;; expect: 5.5
(Math/floor 2.7) ;; expect: 2.0
(Math/ceil 2.1) ;; expect: 3.0
(Math/round 2.5) ;; expect: 3
(Math/max 1 2) ;; expect: 2
(Math/exp 0) ;; expect: 1.0
(Math/log 1) ;; expect: 0.0
(Math/sin 0.0) ;; expect: 0.0
(Math/signum -2.0) ;; expect: -1.0
(format "%.6f" (Math/cbrt 27.0)) ;; expect: "3.000000"
(Math/hypot 3 4) ;; expect: 5.0
