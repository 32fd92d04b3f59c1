;; Weighted samples: pairs of value and log-weight.
(empirical-mean [[1 0.0] [3 0.0]]) ;; expect: 2.0
(empirical-variance [[1 0.0] [3 0.0]]) ;; expect: 1.0
(empirical-std [[1 0.0] [3 0.0]]) ;; expect: 1.0
(format "%.4f" (empirical-mean [[1 0.0] [3 (log 3)]])) ;; expect: "2.5000"
(empirical-expectation (fn [x] (* 2 x)) [[1 0.0] [3 0.0]]) ;; expect: 4.0
