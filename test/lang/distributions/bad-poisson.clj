;; A negative rate.
(poisson -1) ;; expect-error: D001
