;; discrete over 0, 1, ...
(format "%.4f" (observe* (discrete [1 2 1]) 1)) ;; expect: "-0.6931"
(format "%.4f" (observe* (discrete (list 1 2 1)) 0)) ;; expect: "-1.3863"
(observe* (discrete [1 2 1]) 3) ;; expect: ##-Inf
(observe* (discrete [1 2 1]) -1) ;; expect: ##-Inf
