;; uniform-discrete leaves its upper end out.
(format "%.4f" (observe* (uniform-discrete 0 4) 3)) ;; expect: "-1.3863"
(observe* (uniform-discrete 0 4) 4) ;; expect: ##-Inf
(format "%.4f" (observe* (uniform-discrete 1 7) 6)) ;; expect: "-1.7918"
(format "%.4f" (observe* (uniform-discrete 0 4) 0)) ;; expect: "-1.3863"
