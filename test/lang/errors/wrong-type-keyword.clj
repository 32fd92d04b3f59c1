;; Comparison of things that have no order.
(< 1 :a) ;; expect-error: R001
