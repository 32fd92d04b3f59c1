;; A closing bracket too many.
(+ 1 2)) ;; expect-error: S002
