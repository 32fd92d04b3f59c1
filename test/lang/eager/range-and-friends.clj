;; Sequence functions over data in a query.
(defquery q [] [(range 3) (take 2 [1 2 3]) (drop 1 [1 2]) (concat [1] [2]) (reverse [1 2]) (partition 2 [1 2 3 4]) (interleave [1 2] [:a :b]) (zipmap [:a] [1]) (frequencies [1 1]) (sort [2 1]) (take 2 (repeat 5))])
(:result (first (doquery :importance q []))) ;; expect: [(0 1 2) (1 2) (2) (1 2) (2 1) ((1 2) (3 4)) (1 :a 2 :b) {:a 1} {1 2} (1 2) (5 5)]
