;; A ratio whose denominator becomes 1 is an integer again, of the kind without a limit.
;; Same in Clojure.
(+ 1/3 2/3) ;; expect: 1N
(* 2/3 3/2) ;; expect: 1N
(- 1/2 1/2) ;; expect: 0N
(/ 1/2 1/4) ;; expect: 2N
(* 2 1/2) ;; expect: 1N
(quot 7/2 1) ;; expect: 3N
(rem 7/2 1) ;; expect: 1/2
(mod -7/2 2) ;; expect: 1/2
(integer? (* 2 1/2)) ;; expect: true
(/ 4 2) ;; expect: 2
4/2 ;; expect: 2
12345678901234567890/3 ;; expect: 4115226300411522630N
