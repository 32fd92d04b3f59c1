; A continuous draw picks an element of a vector: no gradient leads there.
; run: -a importance -n 500 --seed 1
; expect: effective sample size
; expect: -a lmh
; never: nuts
(defquery edge
  (let [x (sample (uniform-continuous 0 3))
        y (sample (normal 0 1))]
    (observe (normal (+ y (nth [0 5 10] (int x))) 0.01) 5)
    (predict :x x)))
