;; A value that is no function.
(def x 5)
(x 1) ;; expect-error: R003
