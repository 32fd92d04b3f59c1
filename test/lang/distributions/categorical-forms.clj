;; Pairs in a vector or list, or a map.
(sample* (categorical [[:a 1]])) ;; expect: :a
(sample* (categorical (list (list :a 1)))) ;; expect: :a
(sample* (categorical {:a 1})) ;; expect: :a
(sample* (categorical (map vector [:x] [1]))) ;; expect: :x
