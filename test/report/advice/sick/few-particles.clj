; A long series and a handful of particles: the early states hardly change.
; run: -a pgibbs --particles 5 -n 1000 --seed 1
; expect: do not trust
; expect: more particles (--particles)
; never: regression
; never: --warmup
(defquery few-particles
  (let [step (fn [xs y]
               (let [x (sample (normal (peek xs) 1))]
                 (observe (normal x 0.5) y)
                 (conj xs x)))
        xs (reduce step [(sample (normal 0 1))] (map (fn [t] (* 3 (sin t))) (range 60)))]
    (predict :start (first xs))
    (predict :xs xs)))
