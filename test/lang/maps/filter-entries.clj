;; Sequence functions over entries.
;; Same in Clojure.
(map (fn [[k v]] (* 2 v)) {:a 1 :b 2}) ;; expect: (2 4)
(filter (fn [[k v]] (> v 1)) {:a 1 :b 2}) ;; expect: ([:b 2])
(into {} (map (fn [[k v]] [k (inc v)]) {:a 1 :b 2})) ;; expect: {:a 2, :b 3}
(reduce (fn [s [k v]] (+ s v)) 0 {:a 1 :b 2}) ;; expect: 3
(sort-by val > {:a 1 :b 3 :c 2}) ;; expect: ([:b 3] [:c 2] [:a 1])
(apply max-key val {:a 1 :b 3}) ;; expect: [:b 3]
(apply min-key val {:a 1 :b 3}) ;; expect: [:a 1]
