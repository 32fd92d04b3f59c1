;; Sets, update-in, vec, distinct, as old programs use them.
(defquery q [] [(contains? (set [1 2]) 1) (vec (distinct [1 1 2])) (update-in {:a 1} [:a] (fn [x] (sample (dirac (inc x))))) (double 1) (into {} (map (fn [k] [k (sample (dirac 0))]) [:a]))])
(:result (first (doquery :importance q []))) ;; expect: [true [1 2] {:a 2} 1.0 {:a 0}]
