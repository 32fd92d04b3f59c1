;; A weight that is NaN.
(defquery q [] (factor (- ##Inf ##Inf))) ;; expect-error: R012
(first (doquery :importance q []))
