;; The clock would break "same seed, same draws".
(defquery q (predict :t (time))) ;; expect-error: F010
(first (doquery :importance q nil))
