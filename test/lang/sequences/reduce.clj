;; Folding.
;; Same in Clojure.
(reduce + [1 2 3]) ;; expect: 6
(reduce + 10 [1 2 3]) ;; expect: 16
(reduce + []) ;; expect: 0
(reduce + [5]) ;; expect: 5
(reduce (fn [a b] (* a b)) 1 [2 3 4]) ;; expect: 24
(reduce max [3 9 2]) ;; expect: 9
(reduce conj [] '(1 2)) ;; expect: [1 2]
(reductions + [1 2 3]) ;; expect: (1 3 6)
(reductions + 10 [1 2]) ;; expect: (10 11 13)
(reduce (fn [a x] (if (> a 5) (reduced a) (+ a x))) 0 [1 2 3 4 5 6]) ;; expect: 6
(reduced? (reduced 1)) ;; expect: true
