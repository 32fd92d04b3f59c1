;; A conditional can be sampled but not observed.
(defquery inner [] (sample (flip 0.5)))
(observe* ((conditional inner)) true) ;; expect-error: R011
