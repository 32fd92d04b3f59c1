;; Mistakes of a doquery inside a query have their place.
(defquery inner [] 1)
(defquery outer [] (sample (flip 0.5)) (first (doquery :no-such-engine inner []))) ;; expect-error: I001
(first (doquery :importance outer []))
