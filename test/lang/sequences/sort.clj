;; Sorting is stable and takes comparators.
;; Same in Clojure.
(sort [3 1 2]) ;; expect: (1 2 3)
(sort > [3 1 2]) ;; expect: (3 2 1)
(sort-by count ["bb" "a" "ccc"]) ;; expect: ("a" "bb" "ccc")
(sort-by :a [{:a 2} {:a 1}]) ;; expect: ({:a 1} {:a 2})
(sort-by first > [[1 :a] [2 :b]]) ;; expect: ([2 :b] [1 :a])
(sort ["b" "a"]) ;; expect: ("a" "b")
(sort-by (juxt :a :b) [{:a 1 :b 2} {:a 1 :b 1}]) ;; expect: ({:a 1, :b 1} {:a 1, :b 2})
(sort-by odd? [1 2 3 4]) ;; expect: (2 4 1 3)
(sort compare [2 1]) ;; expect: (1 2)
(sort (fn [a b] (- b a)) [1 2 3]) ;; expect: (3 2 1)
(reverse (sort [2 3 1])) ;; expect: (3 2 1)
