; One observation that next to no particle explains.
; run: -a smc --particles 50 -n 1000 --seed 1
; expect: ESS collapsed at line 9
; expect: more particles (--particles)
; never: regression
(defquery collapse
  (let [step (fn [xs y]
               (let [x (sample (normal (peek xs) 1))]
                 (observe (normal x 0.3) y)
                 (conj xs x)))
        xs (reduce step [(sample (normal 0 1))] [0 0.5 1 8 8 7.5 7])]
    (predict :x (peek xs))))
