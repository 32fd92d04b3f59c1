;; Nothing is drawn, so there are no parameters.
(defquery q [] (observe (normal 0 1) 2) 1)
(first (doquery :pgibbs q [] :number-of-particles 5 :parameters :auto)) ;; expect-error: I006
