;; Ranges.
;; Same in Clojure.
(range 5) ;; expect: (0 1 2 3 4)
(range 2 5) ;; expect: (2 3 4)
(range 0 10 3) ;; expect: (0 3 6 9)
(range 5 0 -2) ;; expect: (5 3 1)
(range 0) ;; expect: ()
(take 3 (range)) ;; expect: (0 1 2)
(range 0 1 0.25) ;; expect: (0 0.25 0.5 0.75)
(count (range 1000000)) ;; expect: 1000000
