;; Integers of any size: literals, arithmetic, comparison, kinds.
;; Same in Clojure.
5N ;; expect: 5N
[1N 2] ;; expect: [1N 2]
123456789012345678901234567890 ;; expect: 123456789012345678901234567890N
-9223372036854775808 ;; expect: -9223372036854775808
9223372036854775808 ;; expect: 9223372036854775808N
0xFFFFFFFFFFFFFFFFF ;; expect: 295147905179352825855N
(str 5N) ;; expect: "5"
(str [5N]) ;; expect: "[5N]"
(inc 5N) ;; expect: 6N
(dec 5N) ;; expect: 4N
(- 5N) ;; expect: -5N
(- 5N 3) ;; expect: 2N
(+ 9223372036854775807 1N) ;; expect: 9223372036854775808N
(* 5N 1.0) ;; expect: 5.0
(+ 5N 1/2) ;; expect: 11/2
(/ 5N 2) ;; expect: 5/2
(/ 4N 2) ;; expect: 2N
(/ 5N 2.0) ;; expect: 2.5
(/ 12345678901234567890 7) ;; expect: 12345678901234567890/7
(double (/ 12345678901234567890123N 7)) ;; expect: 1.763668414462081E21
(quot 7N 2) ;; expect: 3N
(rem -7N 2) ;; expect: -1N
(mod -7N 2) ;; expect: 1N
(mod 12345678901234567890 7) ;; expect: 1N
(quot 7N 2.0) ;; expect: 3.0
(max 5N 3) ;; expect: 5N
(min 3 5N) ;; expect: 3
(max 5N 5) ;; expect: 5
(abs -5N) ;; expect: 5N
(= 5 5N) ;; expect: true
(= 5N 5) ;; expect: true
(= [1 2] [1N 2N]) ;; expect: true
(= 5.0 5N) ;; expect: false
(== 5 5N 5.0) ;; expect: true
(not= 5N 6N) ;; expect: true
(< 5N 6) ;; expect: true
(> 123456789012345678901234567890 1e20) ;; expect: true
(compare 5N 5) ;; expect: 0
(compare 5 6N) ;; expect: -1
(sort [3N 1 2.0]) ;; expect: (1 2.0 3N)
(sort [123456789012345678901N 5 -123456789012345678901N]) ;; expect: (-123456789012345678901N 5 123456789012345678901N)
(hash 5N) ;; expect: 1740791543
(hash 123456789012345678901234567890N) ;; expect: 1915528825
(hash -123456789012345678901234567890N) ;; expect: -1915528825
(hash (/ 12345678901234567890 7)) ;; expect: -1436577087
(get {5 :a} 5N) ;; expect: :a
(get {5N :a} 5) ;; expect: :a
(contains? #{5} 5N) ;; expect: true
(get (zipmap (range 20) (range 20)) 7N) ;; expect: 7
(zero? 0N) ;; expect: true
(pos? 5N) ;; expect: true
(neg? -5N) ;; expect: true
(even? 12345678901234567890) ;; expect: true
(odd? 5N) ;; expect: true
(map integer? [5N 5 5.0 1/2]) ;; expect: (true true false false)
(map int? [5N 5]) ;; expect: (false true)
(map rational? [5N 1/2 0.5]) ;; expect: (true true false)
(number? 5N) ;; expect: true
(ratio? 5N) ;; expect: false
(pos-int? 5N) ;; expect: false
(case 1N 1 :one :other) ;; expect: :one
(case 1 1N :one :other) ;; expect: :one
(nth [1 2 3] 1N) ;; expect: 2
([1 2 3] 1N) ;; expect: 2
(get [1 2 3] 1N) ;; expect: 2
(take 2N [1 2 3]) ;; expect: (1 2)
(range 3N) ;; expect: (0 1 2)
(range 0N 3) ;; expect: (0N 1N 2N)
(range 12345678901234567890 12345678901234567892) ;; expect: (12345678901234567890N 12345678901234567891N)
(identical? 5 5N) ;; expect: false
(read-string "5N") ;; expect: 5N
(* 1N ##Inf) ;; expect: ##Inf
(reduce * (range 1N 25)) ;; expect: 620448401733239439360000N
