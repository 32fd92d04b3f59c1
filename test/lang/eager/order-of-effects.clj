;; Effects happen in the order of the sequence.
(defquery q [] (map (fn [x] (predict :x x)) [3 1 2]) nil)
(:predicts (first (doquery :importance q []))) ;; expect: [[:x 3] [:x 1] [:x 2]]
