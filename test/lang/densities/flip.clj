;; flip scores booleans, and what says the same.
(format "%.4f" (observe* (flip 0.25) true)) ;; expect: "-1.3863"
(format "%.4f" (observe* (flip 0.25) false)) ;; expect: "-0.2877"
(observe* (flip 1.0) false) ;; expect: ##-Inf
(observe* (flip 0.5) 1) ;; expect: -0.6931471805599453
(observe* (flip 0.5) nil) ;; expect-error: R001
