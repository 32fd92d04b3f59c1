;; Executions do not share what they remember.
(defquery q [] (let [f (mem (fn [x] (sample (normal 0 1))))] (f 1)))
(count (distinct (map :result (take 10 (doquery :importance q []))))) ;; expect: 10
