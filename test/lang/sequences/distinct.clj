;; Removing repetitions.
;; Same in Clojure.
(distinct [1 2 1 3 2]) ;; expect: (1 2 3)
(dedupe [1 1 2 2 1]) ;; expect: (1 2 1)
(count (set [1 1 2])) ;; expect: 2
