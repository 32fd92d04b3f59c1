;; A number has no count.
(count 5) ;; expect-error: R001
