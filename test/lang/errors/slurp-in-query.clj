;; No files in a query.
(defquery q [] (slurp "secret.txt")) ;; expect-error: F010
(first (doquery :importance q []))
