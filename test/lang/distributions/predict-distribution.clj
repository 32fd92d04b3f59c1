;; A distribution as the value of a predict.
(defquery q [] (predict :d (normal 0 1)))
(:predicts (first (doquery :importance q []))) ;; expect: [[:d (normal 0 1)]]
