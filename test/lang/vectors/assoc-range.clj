;; assoc beyond the end.
(assoc [1] 3 :x) ;; expect-error: R004
