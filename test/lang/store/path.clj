;; Paths of several keys.
(defquery q [] (store :a :b 1) (store :a :c 2) [(retrieve :a :b) (retrieve :a) (retrieve :a :z)])
(:result (first (doquery :importance q []))) ;; expect: [1 {:b 1, :c 2} nil]
