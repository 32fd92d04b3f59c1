;; The predictive of a normal with unknown mean and covariance.
(count (sample* (produce (mvn-niw [0 0] 1 4 [[1 0] [0 1]])))) ;; expect: 2
