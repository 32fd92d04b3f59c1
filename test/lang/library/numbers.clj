;; Numbers of the library: every value was given by Clojure 1.11.
;; Same in Clojure.
(= [1 2] '(1 2)) ;; expect: true
(= 1 1.0) ;; expect: false
(== 1 1.0) ;; expect: true
(= {:a [1]} {:a '(1)}) ;; expect: true
(not= 1 2) ;; expect: true
(compare "a" "b") ;; expect: -1
(compare [1 2] [1 3]) ;; expect: -1
(compare nil 1) ;; expect: -1
(compare :a :b) ;; expect: -1
(< 1 2 3) ;; expect: true
(< 1 3 2) ;; expect: false
(+ 1 1/2) ;; expect: 3/2
(+ 1 2.0) ;; expect: 3.0
(- 5) ;; expect: -5
(/ 2) ;; expect: 1/2
(/ 1 3) ;; expect: 1/3
(/ 6 3) ;; expect: 2
(/ 1.0 0) ;; expect: ##Inf
(* 1.5 2) ;; expect: 3.0
(+) ;; expect: 0
(*) ;; expect: 1
(quot 7 -2) ;; expect: -3
(rem -7 2) ;; expect: -1
(mod -7 2) ;; expect: 1
(mod 5.5 2) ;; expect: 1.5
(mod -1 3) ;; expect: 2
(quot 7.5 2) ;; expect: 3.0
(max 1 2.0) ;; expect: 2.0
(max 3 2.0) ;; expect: 3
(min 1 2 -1/2) ;; expect: -1/2
(*' 3 4) ;; expect: 12
(abs -3) ;; expect: 3
(abs -3.5) ;; expect: 3.5
(int 3.7) ;; expect: 3
(int -3.7) ;; expect: -3
(int \a) ;; expect: 97
(long 3.2) ;; expect: 3
(double 1/3) ;; expect: 0.3333333333333333
(Math/round 2.5) ;; expect: 3
(Math/round -2.5) ;; expect: -2
(Math/floor 2.5) ;; expect: 2.0
(Math/pow 2 3) ;; expect: 8.0
(Math/sqrt 2) ;; expect: 1.4142135623730951
(Math/abs -1) ;; expect: 1
(Math/log10 1000) ;; expect: 3.0
(Math/cbrt 27) ;; expect: 3.0
(Math/atan2 1 1) ;; expect: 0.7853981633974483
(Math/signum -2.0) ;; expect: -1.0
(Math/rint 2.5) ;; expect: 2.0
(Math/hypot 3 4) ;; expect: 5.0
Math/PI ;; expect: 3.141592653589793
(= (map inc [1 2]) [2 3]) ;; expect: true
(max 1) ;; expect: 1
