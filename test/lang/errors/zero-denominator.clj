;; A ratio over zero.
1/0 ;; expect-error: S005
