;; Distributions are values: held, compared, put in collections.
(def d (normal 0 1))
(= d (normal 0 1)) ;; expect: true
(= d (normal 0 2)) ;; expect: false
(get {d :x} (normal 0 1)) ;; expect: :x
[(flip 0.5) {:d d}] ;; expect: [(flip 0.5) {:d (normal 0 1)}]
