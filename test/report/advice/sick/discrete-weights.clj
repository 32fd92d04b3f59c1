; The same with finitely many executions.
; run: -a importance -n 1000 --seed 1
; expect: effective sample size
; expect: -a enumerate
; never: nuts
(defquery discrete-weights
  (let [xs (mapv (fn [_] (sample (uniform-discrete 0 4))) (range 6))]
    (doseq [[x y] (map vector xs [0 1 2 3 2 1])] (observe (normal x 0.1) y))
    (predict :xs xs)))
