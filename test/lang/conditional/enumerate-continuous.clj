;; Only finite queries can be enumerated.
(defquery inner [] (sample (normal 0 1)))
(sample* ((conditional inner :enumerate))) ;; expect-error: I006
