;; A negative weight.
(discrete [1 -1]) ;; expect-error: D001
