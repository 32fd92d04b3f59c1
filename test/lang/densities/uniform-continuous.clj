;; uniform-continuous.
(format "%.4f" (observe* (uniform-continuous 0 4) 1)) ;; expect: "-1.3863"
(format "%.4f" (observe* (uniform-continuous -1 1) 0.5)) ;; expect: "-0.6931"
(observe* (uniform-continuous 0 4) 5) ;; expect: ##-Inf
(format "%.4f" (observe* (uniform 0 2) 1)) ;; expect: "-0.6931"
