;; What fails in the inner query fails there.
(defquery inner []
  (sample (normal 0 -1))) ;; expect-error: D001
(defquery outer [] (sample (flip 0.5)) (first (doquery :importance inner [])))
(first (doquery :importance outer []))
