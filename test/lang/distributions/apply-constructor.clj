;; Constructors through apply and map.
(apply normal [0 1]) ;; expect: (normal 0 1)
(map flip [0.1 0.2]) ;; expect: ((flip 0.1) (flip 0.2))
((partial normal 0) 2) ;; expect: (normal 0 2)
