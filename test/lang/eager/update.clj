;; update, swap!, reduce-kv and merge-with with functions that sample.
(defquery q [] (let [d (fn [x] (sample (dirac x))) a (atom 1)] [(update {:a 1} :a (fn [x] (d (inc x)))) (swap! a (fn [x] (d (* 5 x)))) (reduce-kv (fn [s k v] (+ s (d v))) 0 {:a 1 :b 2}) (merge-with (fn [x y] (d (+ x y))) {:a 1} {:a 2})]))
(:result (first (doquery :importance q []))) ;; expect: [{:a 2} 5 3 {:a 3}]
