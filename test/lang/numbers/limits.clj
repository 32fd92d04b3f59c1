;; The ends of the ranges.
;; Same in Clojure.
Long/MAX_VALUE ;; expect: 9223372036854775807
Long/MIN_VALUE ;; expect: -9223372036854775808
Double/MAX_VALUE ;; expect: 1.7976931348623157E308
Double/POSITIVE_INFINITY ;; expect: ##Inf
Double/NEGATIVE_INFINITY ;; expect: ##-Inf
Math/PI ;; expect: 3.141592653589793
Math/E ;; expect: 2.718281828459045
