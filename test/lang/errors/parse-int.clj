;; Text that is no number.
(Integer/parseInt "x1") ;; expect-error: R009
