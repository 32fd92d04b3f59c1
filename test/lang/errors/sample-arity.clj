;; sample takes a distribution, or a name and a distribution.
(defquery q [] (sample)) ;; expect-error: F002
