;; The types of draws.
(boolean? (sample* (flip 0.5))) ;; expect: true
(integer? (sample* (bernoulli 0.5))) ;; expect: true
(integer? (sample* (poisson 4))) ;; expect: true
(float? (sample* (normal 0 1))) ;; expect: true
(integer? (sample* (uniform-discrete 0 5))) ;; expect: true
(float? (sample* (uniform-continuous 0 5))) ;; expect: true
(count (sample* (dirichlet [1 1 1]))) ;; expect: 3
(count (sample* (mvn [0 0] [[1 0] [0 1]]))) ;; expect: 2
