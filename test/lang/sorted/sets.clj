;; Sets in order.
;; Same in Clojure.
(sorted-set 3 1 2) ;; expect: #{1 2 3}
(first (sorted-set 3 1 2)) ;; expect: 1
(sorted-set-by > 1 3 2) ;; expect: #{3 2 1}
(conj (sorted-set 1 3) 2) ;; expect: #{1 2 3}
(disj (sorted-set 1 2) 1) ;; expect: #{2}
(contains? (sorted-set 1) 1) ;; expect: true
(subseq (sorted-set 1 2 3 4) > 2) ;; expect: (3 4)
(into (sorted-set) [3 1 2 1]) ;; expect: #{1 2 3}
