;; Long sequences do not exhaust a stack.
;; Same in Clojure.
(reduce + (range 100000)) ;; expect: 4999950000
(count (filter odd? (map inc (range 100000)))) ;; expect: 50000
(last (take 50000 (iterate inc 0))) ;; expect: 49999
(count (doall (map inc (range 50000)))) ;; expect: 50000
