;; Non-numeric text.
(Integer/parseInt "x1") ;; expect-error: R009
