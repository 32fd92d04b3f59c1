;; Executions of weight zero are dropped.
(defquery q [] (let [x (sample (uniform-discrete 0 4))] (observe (flip (if (= x 2) 1.0 0.0)) true) x))
(set (map :result (take 20 (doquery :importance q [])))) ;; expect: #{2}
