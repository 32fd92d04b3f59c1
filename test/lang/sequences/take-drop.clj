;; Parts of sequences.
;; Same in Clojure.
(take 2 [1 2 3]) ;; expect: (1 2)
(drop 2 [1 2 3]) ;; expect: (3)
(take 5 [1 2]) ;; expect: (1 2)
(take-while pos? [2 1 0 3]) ;; expect: (2 1)
(drop-while pos? [2 1 0 3]) ;; expect: (0 3)
(take-last 2 [1 2 3]) ;; expect: (2 3)
(drop-last [1 2 3]) ;; expect: (1 2)
(drop-last 2 [1 2 3]) ;; expect: (1)
(butlast [1 2 3]) ;; expect: (1 2)
(take-nth 2 [0 1 2 3 4]) ;; expect: (0 2 4)
(split-at 1 [1 2 3]) ;; expect: [(1) (2 3)]
(split-with pos? [1 2 -1 3]) ;; expect: [(1 2) (-1 3)]
(nthrest [1 2 3] 2) ;; expect: (3)
(nthnext [1 2 3] 3) ;; expect: nil
