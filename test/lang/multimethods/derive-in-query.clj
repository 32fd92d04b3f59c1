;; A query cannot change what all executions share.
(defquery q [] (derive :a :b)) ;; expect-error: F010
(first (doquery :importance q []))
