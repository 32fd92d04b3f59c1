;; mapv, filterv, mapcat, map-indexed, keep-indexed.
(defquery q [] (let [d (fn [x] (sample (dirac x)))] [(mapv d [1 2]) (filterv d [true false]) (mapcat (fn [x] [(d x) x]) [1 2]) (map-indexed (fn [i x] (d [i x])) [:a]) (keep-indexed (fn [i x] (if (d (odd? i)) x)) [:a :b])]))
(:result (first (doquery :importance q []))) ;; expect: [[1 2] [true] (1 1 2 2) ([0 :a]) (:b)]
