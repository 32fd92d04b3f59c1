;; A query does not wait.
(defquery q [] (Thread/sleep 5) 1) ;; expect-error: F010
(first (doquery :importance q []))
