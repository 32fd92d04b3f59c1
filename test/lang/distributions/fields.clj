;; Parameters are readable as fields.
(:mean (normal 2 3)) ;; expect: 2
(:sd (normal 2 3)) ;; expect: 3
(:p (flip 0.25)) ;; expect: 0.25
(:lambda (poisson 4)) ;; expect: 4
(:shape (gamma 1 2)) ;; expect: 1
(:rate (gamma 1 2)) ;; expect: 2
(:weights (discrete [1 2])) ;; expect: [1 2]
(:min (uniform-continuous 0 1)) ;; expect: 0
