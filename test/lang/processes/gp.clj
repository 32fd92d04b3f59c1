;; A Gaussian process: produce gives a function from inputs to normals.
(def p (GP (fn [x] 0.0) (fn [a b] (exp (- (* 0.5 (- a b) (- a b)))))))
(:mean ((produce p) 1.0)) ;; expect: 0.0
(format "%.4f" (:mean ((produce (absorb p [1.0 2.0])) 2.0))) ;; expect: "1.2131"
(format "%.4f" (:sd ((produce (absorb p [1.0 2.0])) 2.0))) ;; expect: "0.7951"
