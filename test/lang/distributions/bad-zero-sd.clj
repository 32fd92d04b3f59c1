;; Zero is not positive.
(normal 0 0) ;; expect-error: D001
