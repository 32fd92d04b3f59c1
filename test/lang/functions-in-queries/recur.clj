;; recur in a function and in a loop.
(defquery q [] [((fn [n acc] (if (zero? n) acc (recur (dec n) (+ acc (sample (dirac n)))))) 4 0) (loop [i 0 s 0] (if (< i 4) (recur (inc i) (+ s (sample (dirac i)))) s))])
(:result (first (doquery :importance q []))) ;; expect: [10 6]
