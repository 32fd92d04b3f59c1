;; No files in a query.
(defquery q [] (slurp "secret.txt"))
(first (doquery :importance q [])) ;; expect-error: F010
