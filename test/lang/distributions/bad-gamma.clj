;; Shapes and rates must be positive.
(gamma 1 0) ;; expect-error: D001
