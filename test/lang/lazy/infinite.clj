;; At top level sequences are lazy.
;; Same in Clojure.
(take 5 (iterate inc 0)) ;; expect: (0 1 2 3 4)
(first (filter #(> % 100) (range))) ;; expect: 101
(take 3 (map #(* % %) (range))) ;; expect: (0 1 4)
(take 2 (drop 1000 (range))) ;; expect: (1000 1001)
(nth (iterate #(* 2 %) 1) 10) ;; expect: 1024
(take 3 (cycle [1 2])) ;; expect: (1 2 1)
(take-while #(< % 5) (range)) ;; expect: (0 1 2 3 4)
