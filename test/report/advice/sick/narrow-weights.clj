; Draws from the prior, of which next to none explain the observations.
; run: -a importance -n 1000 --seed 1
; expect: effective sample size
; expect: -a nuts
; never: pgibbs
; never: -a enumerate
(defquery narrow-weights
  (let [xs (mapv (fn [_] (sample (normal 0 5))) (range 6))]
    (doseq [[x y] (map vector xs [1 2 3 4 5 6])] (observe (normal x 0.1) y))
    (predict :xs xs)))
