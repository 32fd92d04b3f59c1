;; The states are a lazy infinite sequence.
(defquery q [] (sample (flip 0.5)))
(def states (doquery :importance q []))
(count (take 100 states)) ;; expect: 100
(every? boolean? (map :result (take 50 states))) ;; expect: true
(= (take 5 states) (take 5 states)) ;; expect: true
