;; Making and reading vectors.
;; Same in Clojure.
(vector 1 2 3) ;; expect: [1 2 3]
(vec '(1 2)) ;; expect: [1 2]
(vec nil) ;; expect: []
(nth [1 2 3] 1) ;; expect: 2
(nth [1 2 3] 9 :none) ;; expect: :none
(get [1 2 3] 0) ;; expect: 1
(get [1 2 3] 9) ;; expect: nil
(get [1 2 3] 9 :none) ;; expect: :none
(count [1 2 3]) ;; expect: 3
([10 20 30] 1) ;; expect: 20
(first []) ;; expect: nil
(peek [1 2 3]) ;; expect: 3
(pop [1 2 3]) ;; expect: [1 2]
(last [1 2 3]) ;; expect: 3
