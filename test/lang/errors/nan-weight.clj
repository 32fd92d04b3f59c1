;; A weight that is no number.
(defquery q [] (factor (- ##Inf ##Inf))) ;; expect-error: R012
(first (doquery :importance q []))
