;; The ends must be in order.
(uniform-continuous 1 1) ;; expect-error: D001
