;; Grouping and counting.
;; Same in Clojure.
(group-by odd? [1 2 3 4]) ;; expect: {true [1 3], false [2 4]}
(group-by count ["a" "bb" "c"]) ;; expect: {1 ["a" "c"], 2 ["bb"]}
(frequencies [:a :b :a]) ;; expect: {:a 2, :b 1}
(group-by first [[:a 1] [:b 2] [:a 3]]) ;; expect: {:a [[:a 1] [:a 3]], :b [[:b 2]]}
