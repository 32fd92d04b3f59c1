;; Later initialisers see earlier bindings.
(defquery q [] (loop [x (sample (dirac 1)) y (+ x (sample (dirac 10)))] [x y]))
(:result (first (doquery :importance q []))) ;; expect: [1 11]
