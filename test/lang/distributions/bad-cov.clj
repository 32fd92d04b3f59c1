;; A covariance must be positive definite.
(mvn [0 0] [[1 2] [2 1]]) ;; expect-error: D001
