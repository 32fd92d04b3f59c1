;; Sequence functions over vectors.
;; Same in Clojure.
(rest [1 2 3]) ;; expect: (2 3)
(next [1]) ;; expect: nil
(seq []) ;; expect: nil
(reverse [1 2 3]) ;; expect: (3 2 1)
(rseq [1 2 3]) ;; expect: (3 2 1)
(concat [1] [2 3]) ;; expect: (1 2 3)
(into [1] [2 3]) ;; expect: [1 2 3]
(mapv inc [1 2]) ;; expect: [2 3]
(filterv odd? [1 2 3]) ;; expect: [1 3]
(contains? [5 6] 1) ;; expect: true
(contains? [5 6] 2) ;; expect: false
