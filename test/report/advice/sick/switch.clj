; A discrete choice of the model beside continuous draws that follow it.
; run: -a nuts -n 300 --chains 4 --seed 1
; expect: do not trust
; expect: sum them out
; never: regression
; never: -a nuts
(defquery switch
  (let [right (sample (flip 0.5))
        x (sample (normal (if right 20 -20) 1))]
    (observe (normal (abs x) 1) 20)
    (predict :right right)))
