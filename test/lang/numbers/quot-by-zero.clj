;; quot of integers by zero.
(quot 5 0) ;; expect-error: R006
