;; A program without draws.
(defquery q [] (observe (normal 0 1) 2) 1)
(first (doquery :nuts q [])) ;; expect-error: I006
