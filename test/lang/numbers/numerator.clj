;; Parts of a ratio.
;; Same in Clojure.
(numerator 6/4) ;; expect: 3
(denominator 6/4) ;; expect: 2
(ratio? 1/2) ;; expect: true
(ratio? 2) ;; expect: false
(rational? 1/2) ;; expect: true
(rational? 0.5) ;; expect: false
(double 1/4) ;; expect: 0.25
