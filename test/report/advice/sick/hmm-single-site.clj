; The same by steps of one state, which its neighbours hold.
; run: -a lmh -n 500 --chains 4 --seed 1
; expect: discrete draws move one at a time
; expect: -a pgibbs
; never: nuts
; never: regression
(defquery hmm-single-site
  (let [step (fn [states y]
               (let [s (sample (discrete (nth [[0.999 0.001] [0.001 0.999]] (peek states))))]
                 (observe (normal (nth [-1 1] s) 3) y)
                 (conj states s)))
        states (reduce step [(sample (uniform-discrete 0 2))]
                       (take 30 (cycle [0.9 0.8 -0.7 0.1 -0.2])))]
    (predict :states states)))
