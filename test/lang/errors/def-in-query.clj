;; Definitions belong to the top level.
(defquery q [] (def x 1) x) ;; expect-error: F008
