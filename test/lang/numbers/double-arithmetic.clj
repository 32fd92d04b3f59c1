;; A double anywhere makes a double.
;; Same in Clojure.
(+ 1 2.0) ;; expect: 3.0
(* 2 0.5) ;; expect: 1.0
(- 0.3 0.1) ;; expect: 0.19999999999999998
(+ 0.1 0.2) ;; expect: 0.30000000000000004
(/ 1.0 3) ;; expect: 0.3333333333333333
(+ 1/2 0.5) ;; expect: 1.0
