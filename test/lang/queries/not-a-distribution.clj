;; sample of something else.
(defquery q [] (sample 5)) ;; expect-error: R010
(first (doquery :importance q []))
