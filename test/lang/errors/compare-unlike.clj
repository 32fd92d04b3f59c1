;; Things of different kinds cannot be sorted.
(sort [1 :a "b"]) ;; expect-error: R001
