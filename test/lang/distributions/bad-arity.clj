;; The wrong number of parameters.
(normal 0) ;; expect-error: F005
