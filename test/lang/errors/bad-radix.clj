;; A digit beyond the base.
2r12 ;; expect-error: S005
