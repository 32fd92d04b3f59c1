;; Mixing sequences.
;; Same in Clojure.
(interleave [1 2] [:a :b]) ;; expect: (1 :a 2 :b)
(interpose 0 [1 2 3]) ;; expect: (1 0 2 0 3)
(zipmap [:a] [1]) ;; expect: {:a 1}
(interleave [1 2 3] [:a]) ;; expect: (1 :a)
(apply map vector [[1 2] [3 4]]) ;; expect: ([1 3] [2 4])
