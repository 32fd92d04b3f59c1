; Too few draws to say anything.
; run: -a nuts -n 5 --chains 2 --seed 1
; expect: do not trust
; expect: ask for more draws (-n)
; never: regression
(defquery few-draws
  (let [x (sample (normal 0 1))]
    (observe (normal x 1) 0.5)
    (predict :x x)))
