;; Maps in order of keys.
;; Same in Clojure.
(sorted-map 3 :c 1 :a 2 :b) ;; expect: {1 :a, 2 :b, 3 :c}
(keys (sorted-map :b 1 :a 2)) ;; expect: (:a :b)
(first (sorted-map 2 :b 1 :a)) ;; expect: [1 :a]
(assoc (sorted-map 2 :b) 1 :a) ;; expect: {1 :a, 2 :b}
(dissoc (sorted-map 1 :a 2 :b) 1) ;; expect: {2 :b}
(sorted-map-by > 1 :a 2 :b) ;; expect: {2 :b, 1 :a}
(get (sorted-map 1 :a) 1) ;; expect: :a
(into (sorted-map) {:b 1 :a 2}) ;; expect: {:a 2, :b 1}
(subseq (sorted-map 1 :a 2 :b 3 :c) >= 2) ;; expect: ([2 :b] [3 :c])
(rsubseq (sorted-map 1 :a 2 :b 3 :c) < 3) ;; expect: ([2 :b] [1 :a])
(rseq (sorted-map 1 :a 2 :b)) ;; expect: ([2 :b] [1 :a])
