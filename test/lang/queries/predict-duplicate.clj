;; get-predicts keeps the last value of a label, at the place of the first.
(defquery q [] (predict :a 1) (predict :b 2) (predict :a 3))
(def state (first (doquery :importance q [])))
(count (:predicts state)) ;; expect: 3
(:a (get-predicts state)) ;; expect: 3
(first (keys (get-predicts state))) ;; expect: :a
