;; A key without a value.
(hash-map :a) ;; expect-error: R002
