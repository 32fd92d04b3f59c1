;; Methods may sample; the hierarchy is that of the top level.
(derive ::dog ::animal)
(defmulti weight identity)
(defmethod weight ::animal [x] (sample (uniform-discrete 7 8)))
(defquery q [] (weight ::dog))
(:result (first (doquery :smc q [] :number-of-particles 2))) ;; expect: 7
