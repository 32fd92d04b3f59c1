;; A number cannot be bound.
(let [5 1] 2) ;; expect-error: F003
