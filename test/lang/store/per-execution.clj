;; Executions do not share their stores.
(defquery q [] (store :n (inc (or (retrieve :n) 0))) (retrieve :n))
(distinct (map :result (take 10 (doquery :importance q [])))) ;; expect: (1)
