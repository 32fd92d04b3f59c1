;; An option that the engine does not know.
(defquery q [] 1)
(first (doquery :importance q [] :number-of-chocolates 5)) ;; expect-error: I002
