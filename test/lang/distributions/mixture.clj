;; A mixture sums out which component a value comes from.
(def m (mixture [3 7] [(normal 0 1) (normal 5 2)]))
m ;; expect: (mixture [3 7] [(normal 0 1) (normal 5 2)])
(format "%.6f" (observe* m 1.5)) ;; expect: "-2.672891"
(format "%.6f" (observe* (mixture [1 0] [(normal 0 1) (normal 5 2)]) 0.0)) ;; expect: "-0.918939"
(observe* (mixture [1 1] [(flip 1) (flip 1)]) false) ;; expect: ##-Inf
(< 0.27 (/ (count (filter #(< % -90) (repeatedly 2000 #(sample* (mixture [3 7] [(normal -100 1) (normal 100 1)]))))) 2000.0) 0.33) ;; expect: true
