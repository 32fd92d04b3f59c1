;; map over one and several sequences.
(:result (first (doquery :importance (query [] (map (fn [x] (sample (dirac (inc x)))) [1 2])) []))) ;; expect: (2 3)
(:result (first (doquery :importance (query [] (map (fn [x y] (sample (dirac [x y]))) [1 2 3] [:a :b])) []))) ;; expect: ([1 :a] [2 :b])
(:result (first (doquery :importance (query [] (map (fn [x] x) [1 nil 2])) []))) ;; expect: (1 nil 2)
