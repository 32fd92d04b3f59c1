;; The label is evaluated.
(defquery q [] (map (fn [i] (predict [:x i] (* i i))) [1 2]) (predict (keyword (str "a" 1)) 5))
(:predicts (first (doquery :importance q []))) ;; expect: [[[:x 1] 1] [[:x 2] 4] [:a1 5]]
