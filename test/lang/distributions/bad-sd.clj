;; A standard deviation must be positive.
(normal 0 1) ;; expect: (normal 0 1)
(normal 0 -1) ;; expect-error: D001
