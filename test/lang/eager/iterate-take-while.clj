;; iterate with take, take-while, drop-while.
(defquery q [] (let [d (fn [x] (sample (dirac x)))] [(take 3 (iterate inc 0)) (take-while (fn [x] (d (< x 3))) [1 2 3 4]) (drop-while (fn [x] (d (< x 3))) [1 2 3 4]) (split-with (fn [x] (d (< x 2))) [1 2])]))
(:result (first (doquery :importance q []))) ;; expect: [(0 1 2) (1 2) (3 4) [(1) (2)]]
