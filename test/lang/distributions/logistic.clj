;; One argument: the function; two: the distribution.
(logistic 0) ;; expect: 0.5
(mapv logistic [0 0.0]) ;; expect: [0.5 0.5]
(logistic 0 1) ;; expect: (logistic 0 1)
(:scale (logistic 0 1)) ;; expect: 1
(logistic 0 -1) ;; expect-error: D001
