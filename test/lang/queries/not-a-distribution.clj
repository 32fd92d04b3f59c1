;; sample of something else.
(defquery q [] (sample 5))
(first (doquery :importance q [])) ;; expect-error: R010
