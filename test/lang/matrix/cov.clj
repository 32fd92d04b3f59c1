;; Covariance of rows by a kernel, and made matrices.
(gen-matrix (fn [i j] (+ (* 10 i) j)) 2 2) ;; expect: [[0 1] [10 11]]
