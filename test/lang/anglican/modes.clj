;; siman and bamc look for the most probable execution, and warn that their states are not draws from the posterior.
(defquery discrete []
  (let [a (sample (uniform-discrete 0 20))
        b (sample (flip 0.3))]
    (observe (normal (if b 13 7) 1) a)
    [a b]))
(defn best [states] (:result (apply max-key :log-weight states)))
(best (take 3000 (doquery :siman discrete []))) ;; expect: [7 false]
(best (take 3000 (doquery :bamc discrete []))) ;; expect: [7 false]
;; normal prior and likelihood: the mode is the posterior mean, 3.2
(defquery line [] (let [m (sample (normal 0 2))] (observe (normal m 1) 4) m))
(< (Math/abs (- 3.2 (best (take 4000 (doquery :siman line []))))) 0.01) ;; expect: true
(< (Math/abs (- 3.2 (best (take 4000 (doquery :bamc line []))))) 0.05) ;; expect: true
;; The best so far never becomes worse; candidates do.
(apply <= (map :log-weight (take 200 (doquery :bamc line [])))) ;; expect: true
(apply <= (map :log-weight (take 200 (doquery :siman line [] :predict-candidates true)))) ;; expect: false
;; Draws that come and go.
(defquery jump []
  (let [n (sample (uniform-discrete 1 4))
        xs (repeatedly n (fn [] (sample (normal 0 1))))]
    (observe (normal (reduce + xs) 0.1) 4)
    n))
(contains? #{1 2 3} (best (take 3000 (doquery :siman jump [])))) ;; expect: true
