;; Collecting by a function of the state.
(defquery q [] (predict :x 3) 4)
(keys (collect-by :result (take 4 (doquery :importance q [])))) ;; expect: (4)
(keys (collect-predicts :x (take 4 (doquery :importance q [])))) ;; expect: (3)
(log-marginal (take 4 (doquery :importance q []))) ;; expect: 0.0
