;; for draws again for each element.
(defquery q [] (for [x [1 2 3]] (sample (dirac (* 10 x)))))
(:result (first (doquery :importance q []))) ;; expect: (10 20 30)
(defquery fresh [] (count (distinct (for [_ (range 50)] (sample (normal 0 1))))))
(:result (first (doquery :importance fresh []))) ;; expect: 50
