; Parameters on a likelihood that few particles estimate badly.
; run: -a pmmh -o ":number-of-particles 4" -n 300 --warmup 200 --chains 2 --seed 1
; expect: the particles are too few
; expect: give more particles (--particles
; never: regression
(defquery noisy-likelihood
  (let [sd (sample (uniform-continuous 0.1 5))
        step (fn [x y]
               (let [x (sample (normal x sd))]
                 (observe (normal x 0.3) y)
                 x))]
    (reduce step 0 (map (fn [t] (* 3 (sin t))) (range 60)))
    (predict :sd sd)))
