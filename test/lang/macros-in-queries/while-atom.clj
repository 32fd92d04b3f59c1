;; while and an atom that is local to the execution.
(defquery q [] (let [n (atom 3) log (atom [])] (while (pos? @n) (swap! log conj (sample (dirac @n))) (swap! n dec)) @log))
(:result (first (doquery :importance q []))) ;; expect: [3 2 1]
