;; Population statistics of plain sequences.
(mean [1 2 3 4]) ;; expect: 5/2
(variance [1 2 3 4]) ;; expect: 1.25
(format "%.6f" (std [1 2 3 4])) ;; expect: "1.118034"
(sum [1 2 3]) ;; expect: 6
