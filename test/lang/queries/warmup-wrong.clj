;; A warm-up is a number of steps.
(defquery q [] (sample (flip 0.5)))
(first (doquery :rmh q [] :warmup -1)) ;; expect-error: I002
