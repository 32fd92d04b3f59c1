;; Constructors are values.
(defquery q [] (let [d (sample (categorical [[dirac 1] [normal 0]]))] (sample (d 3))))
(:result (first (doquery :importance q []))) ;; expect: 3
(map dirac [1 2]) ;; expect: ((dirac 1) (dirac 2))
