; A warm-up that cannot end in the time there is.
; run: -a nuts -n 100 --warmup 100000000 --timeout 1 --chains 2 --seed 1
; code: 70
; expect: steps of nuts were made, and all of them would take about
; expect: the warm-up did not end within 1 s
; never: regression
(defquery slow-warmup
  (let [x (sample (normal 0 1))]
    (observe (normal x 1) 0.5)
    (predict :x x)))
