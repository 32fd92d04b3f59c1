;; The function must give numbers.
(plot str [0 1]) ;; expect-error: R001
