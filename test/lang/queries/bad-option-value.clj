;; The value of an option that the engine has must be right.
(defquery q [] 1)
(first (doquery :smc q [] :number-of-particles 0)) ;; expect-error: I002
