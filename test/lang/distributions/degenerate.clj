;; Draws that are certain.
(sample* (dirac :x)) ;; expect: :x
(sample* (discrete [0 1 0])) ;; expect: 1
(sample* (categorical [[:a 0] [:b 1]])) ;; expect: :b
(sample* (poisson 0)) ;; expect: 0
(sample* (binomial 5 1)) ;; expect: 5
(sample* (binomial 5 0)) ;; expect: 0
(sample* (uniform-discrete 3 4)) ;; expect: 3
(sample* (multinomial 4 [1 0])) ;; expect: [4 0]
