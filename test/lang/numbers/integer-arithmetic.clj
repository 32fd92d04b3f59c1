;; + - * with any number of arguments.
;; Same in Clojure.
(+) ;; expect: 0
(*) ;; expect: 1
(+ 5) ;; expect: 5
(- 5) ;; expect: -5
(+ 1 2 3) ;; expect: 6
(- 10 1 2) ;; expect: 7
(* 2 3 4) ;; expect: 24
(- -9223372036854775807 1) ;; expect: -9223372036854775808
