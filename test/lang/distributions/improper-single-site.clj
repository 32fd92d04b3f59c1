;; Single-site engines need only the density of an improper distribution: such a draw walks.
(defquery q [] (let [m (sample (flat)) s (sample (half-flat))] (observe (normal m 1) 2) (observe (normal s 1) 3) [m s]))
(defn moves [engine] (> (count (distinct (map :result (take 200 (doquery engine q []))))) 20))
(moves :lmh) ;; expect: true
(moves :rmh) ;; expect: true
(moves :almh) ;; expect: true
(every? #(> (second (:result %)) 0) (take 200 (doquery :rmh q []))) ;; expect: true
