;; The inner query is conditioned.
(defquery inner [] (let [x (sample (uniform-discrete 0 3))] (observe (flip (if (= x 1) 1.0 0.0)) true) x))
(defquery q [] (repeatedly 5 (fn [] (sample ((conditional inner :smc :number-of-particles 50))))))
(:result (first (doquery :importance q []))) ;; expect: (1 1 1 1 1)
