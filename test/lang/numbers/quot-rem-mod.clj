;; Integer division: towards zero, sign of the dividend, sign of the divisor.
;; Same in Clojure.
(quot 7 2) ;; expect: 3
(quot -7 2) ;; expect: -3
(rem 7 2) ;; expect: 1
(rem -7 2) ;; expect: -1
(mod 7 2) ;; expect: 1
(mod -7 2) ;; expect: 1
(mod 7 -2) ;; expect: -1
(mod -7 -2) ;; expect: -1
(mod 5.5 2) ;; expect: 1.5
(rem -5.5 2) ;; expect: -1.5
(quot 5.5 2) ;; expect: 2.0
