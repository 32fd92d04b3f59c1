; Discrete states by particles: gradients have no place here.
; run: -a pgibbs --particles 3 -n 600 --seed 1
; expect: more particles (--particles)
; never: nuts
; never: regression
; never: non-centred
; never: --warmup
(defquery hmm-pgibbs
  (let [step (fn [states y]
               (let [s (sample (discrete (nth [[0.9 0.05 0.05] [0.05 0.9 0.05] [0.05 0.05 0.9]]
                                              (peek states))))]
                 (observe (normal (nth [-1 0 1] s) 0.2) y)
                 (conj states s)))
        states (reduce step [(sample (uniform-discrete 0 3))]
                       (take 40 (cycle [0.9 0.8 0.7 0.0 -0.02 -1.0 -0.9])))]
    (predict :first (first states))
    (predict :states states)))
