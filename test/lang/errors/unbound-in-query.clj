;; In a query too.
(defquery q []
  (sample (norml 0 1))) ;; expect-error: F001
