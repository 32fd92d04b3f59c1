; An equation solved by steps that are too long where the rate is large.
; run: -a nuts -n 300 --warmup 200 --chains 4 --seed 1
; expect: moves diverged
; expect: take shorter steps
; never: regression
; never: non-centred
(defquery long-steps
  (let [rate (sample (log-normal 1 1.5))
        xs (reductions (fn [x _] (- x (* 0.5 rate (- x 1) (+ x 0.1)))) 2.0 (range 12))]
    (observe (normal (last xs) 0.5) 1.0)
    (predict :rate rate)))
