;; Math functions in a query.
(defquery q [] [(Math/sqrt (sample (dirac 16))) (sqrt 9) (Math/log 1) (Math/abs -2)])
(:result (first (doquery :importance q []))) ;; expect: [4.0 3.0 0.0 2]
