;; Distributions print as the calls that make them.
(normal 0 1) ;; expect: (normal 0 1)
(flip 0.5) ;; expect: (flip 0.5)
(discrete [1 2 3]) ;; expect: (discrete [1 2 3])
(pr-str (poisson 4)) ;; expect: "(poisson 4)"
(str (uniform-continuous 0 1)) ;; expect: "(uniform-continuous 0 1)"
[(gamma 1 2)] ;; expect: [(gamma 1 2)]
