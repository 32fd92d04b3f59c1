;; map over nothing is empty.
(defquery q [] [(empty? (map inc [])) (count (map inc nil)) (empty? (repeatedly 0 (fn [] 1)))])
(:result (first (doquery :importance q []))) ;; expect: [true 0 true]
