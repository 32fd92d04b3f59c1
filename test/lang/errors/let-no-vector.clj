;; let without a vector.
(let (x 1) x) ;; expect-error: F003
