;; A rejection loop.
(defquery q [] (loop [n 0] (let [x (sample (uniform-discrete 0 10))] (if (= x 7) x (recur (inc n))))))
(:result (first (doquery :importance q []))) ;; expect: 7
