;; Transducers inside queries: their steps may sample and observe, and executions keep their cells apart.
(defquery q [n]
  (let [xs (into [] (comp (map (fn [i] (sample (uniform-discrete i (inc i))))) (take n)) (range 10))
        seen (sequence (partition-all 2) xs)]
    (run! (fn [x] (observe (normal x 1) x)) xs)
    [xs seen (transduce (take 2) + xs)]))
(map :result (take 2 (doquery :smc q [3] :number-of-particles 4))) ;; expect: ([[0 1 2] ([0 1] [2]) 1] [[0 1 2] ([0 1] [2]) 1])
