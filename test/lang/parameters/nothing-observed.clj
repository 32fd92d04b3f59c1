;; Without an observe nothing is a path beside the parameters.
(defquery silent [] (let [a (sample (normal 0 1))] (predict :a a)))
(first (doquery :pmmh silent [] :number-of-particles 5)) ;; expect-error: I006
