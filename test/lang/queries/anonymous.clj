;; A query without a name.
(:result (first (doquery :importance (query [x] (* 2 x)) [21]))) ;; expect: 42
(:result (first (doquery :importance (query x x) 5))) ;; expect: 5
(:result (first (doquery :importance (query (+ 1 2)) nil))) ;; expect: 3
