; run: -a pgibbs --particles 50 -n 10000 --chains 2 --seed 1
(defquery hmm
  (let [step (fn [states y]
               (let [s (sample (discrete (nth [[0.6 0.2 0.2] [0.2 0.6 0.2] [0.2 0.2 0.6]]
                                              (peek states))))]
                 (observe (normal (nth [-1 0 1] s) 1) y)
                 (conj states s)))
        states (reduce step [(sample (uniform-discrete 0 3))] [0.9 0.8 0.7 0.0 -0.02 -1.0 -0.9])]
    (predict :states states)))
