;; A memoised function given to map.
(defquery q [] (let [f (mem (fn [x] (sample (normal 0 1))))] (= (map f [1 2 3]) (map f [1 2 3]))))
(:result (first (doquery :importance q []))) ;; expect: true
