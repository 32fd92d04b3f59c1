;; Extremes by a function.
;; Same in Clojure.
(max-key count "a" "bbb" "cc") ;; expect: "bbb"
(min-key count "a" "bbb") ;; expect: "a"
(apply max [1 5 3]) ;; expect: 5
(apply max-key second [[:a 1] [:b 3] [:c 2]]) ;; expect: [:b 3]
