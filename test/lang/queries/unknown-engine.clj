;; An engine that does not exist.
(defquery q [] 1)
(first (doquery :no-such-engine q [])) ;; expect-error: I001
