;; -> as identity, as old programs use it.
(defquery q [] (map #(-> [%1 %2]) [1 2] [:a :b]))
(:result (first (doquery :importance q []))) ;; expect: ([1 :a] [2 :b])
