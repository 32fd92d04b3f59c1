;; group-by, sort-by, partition-by and max-key with functions that sample.
(defquery q [] (let [d (fn [x] (sample (dirac x)))] [(group-by (fn [x] (d (odd? x))) [1 2 3]) (sort-by (fn [x] (d (- x))) [1 3 2]) (partition-by (fn [x] (d (odd? x))) [1 1 2]) (apply max-key (fn [x] (d (- x))) [3 1 2])]))
(:result (first (doquery :importance q []))) ;; expect: [{true [1 3], false [2]} (3 2 1) ((1 1) (2)) 1]
