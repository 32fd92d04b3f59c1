; Effects of a hierarchy in centred form, with little data for each.
; run: -a nuts -n 500 --chains 4 --seed 1
; expect: moves diverged
; expect: draw what has the scale tau in non-centred form
; never: regression
; never: ordered
(defquery funnel
  (let [mu (sample (normal 0 10))
        tau (sample (half-cauchy 5))
        theta (mapv (fn [_] (sample (normal mu tau))) (range 8))]
    (doseq [[t y sd] (map vector theta [28 8 -3 7 -1 1 18 12] [15 10 16 11 9 11 10 18])]
      (observe (normal t sd) y))
    (predict :mu mu)
    (predict :tau tau)
    (predict :theta theta)))
