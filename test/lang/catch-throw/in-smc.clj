;; The catch survives resampling.
(defquery q [] (catch :t (observe (flip 0.5) true) (observe (flip 0.5) true) (throw :t 9)))
(every? #(= 9 (:result %)) (take 10 (doquery :smc q [] :number-of-particles 5))) ;; expect: true
