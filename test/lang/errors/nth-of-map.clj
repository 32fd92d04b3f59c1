;; nth needs an order.
(nth {:a 1} 0) ;; expect-error: R001
