;; A weight that is no number.
(defquery q [] (factor (- ##Inf ##Inf)))
(first (doquery :importance q [])) ;; expect-error: R012
