;; observe needs a distribution and a value.
(defquery q [] (observe (flip 0.5))) ;; expect-error: F002
