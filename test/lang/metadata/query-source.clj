;; A query keeps the form that it was written as.
(defquery coin [p] (predict :x (sample (flip p))))
(:source (meta coin)) ;; expect: (query coin [p] (predict :x (sample (flip p))))
(:source (meta (query [x] x))) ;; expect: (query [x] x)
