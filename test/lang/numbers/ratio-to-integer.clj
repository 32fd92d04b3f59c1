;; A ratio whose denominator becomes 1 is an integer again. (Clojure makes a big integer here.)
(+ 1/3 2/3) ;; expect: 1
(* 2/3 3/2) ;; expect: 1
(- 1/2 1/2) ;; expect: 0
(/ 1/2 1/4) ;; expect: 2
(integer? (* 2 1/2)) ;; expect: true
