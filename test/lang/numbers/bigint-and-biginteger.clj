;; Making big integers, and what comes out of them.
;; Same in Clojure.
(bigint 5) ;; expect: 5N
(bigint 5.7) ;; expect: 5N
(bigint -5.7) ;; expect: -5N
(bigint 1e30) ;; expect: 1000000000000000000000000000000N
(bigint "123456789012345678901") ;; expect: 123456789012345678901N
(bigint 7/2) ;; expect: 3N
(biginteger 5) ;; expect: 5
(biginteger 3.9) ;; expect: 3
(biginteger 7/2) ;; expect: 3
(+ (biginteger 5) 1) ;; expect: 6N
(= 5N (biginteger 5)) ;; expect: true
(numerator 1/2) ;; expect: 1
(denominator 1/2) ;; expect: 2
(long 5N) ;; expect: 5
(int 5N) ;; expect: 5
(double 5N) ;; expect: 5.0
(rationalize 0.1) ;; expect: 1/10
(rationalize 1e30) ;; expect: 1000000000000000000000000000000N
(rationalize 1.25e-7) ;; expect: 1/8000000
(format "%x" (biginteger 255)) ;; expect: "ff"
(format "%032x" (biginteger 511)) ;; expect: "000000000000000000000000000001ff"
(format "%,d" (biginteger 123456789012345678901N)) ;; expect: "123,456,789,012,345,678,901"
(format "%s" 5N) ;; expect: "5"
(class 5N) ;; expect: clojure.lang.BigInt
(class (biginteger 5)) ;; expect: java.math.BigInteger
(class (+ 1/2 1/2)) ;; expect: clojure.lang.BigInt
