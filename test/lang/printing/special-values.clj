;; Values with their own spelling.
;; Same in Clojure.
[##Inf ##-Inf 1/2 \space nil true] ;; expect: [##Inf ##-Inf 1/2 \space nil true]
(str ##Inf) ;; expect: "Infinity"
(str (/ -1.0 0)) ;; expect: "-Infinity"
[\newline \tab] ;; expect: [\newline \tab]
