;; Nothing closes the list.
(+ 1 2 ;; expect-error: S001
