;; A quote before a closing bracket.
(list ') ;; expect-error: S009
