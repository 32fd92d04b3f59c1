;; A call of a value that is not a function.
(def x 5)
(x 1) ;; expect-error: R003
