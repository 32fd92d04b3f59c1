;; The density of a continuous result is not known.
(defquery inner [] (sample (normal 0 1)))
(observe* ((conditional inner)) 0.5) ;; expect-error: R011
