;; The store is visible in every function of the execution.
(defm count-up [] (store :n (inc (or (retrieve :n) 0))))
(defquery q [] (count-up) (count-up) (map (fn [_] (count-up)) [1 2]) (retrieve :n))
(:result (first (doquery :importance q []))) ;; expect: 4
