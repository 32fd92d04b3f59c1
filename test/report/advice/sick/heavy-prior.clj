; The same with a prior that hardly bounds it.
; run: -a nuts -n 300 --chains 4 --seed 1
; expect: has heavy tails
; expect: a prior with lighter tails
; never: centre the predictors
(defquery heavy-prior
  (let [slope (sample (student-t-loc-scale 1 0 10))]
    (doseq [[x y] [[-2 false] [-1.5 false] [-1 false] [-0.5 false] [0.5 true] [1 true] [2 true]]]
      (observe (flip (/ 1 (+ 1 (exp (- (* slope x)))))) y))
    (predict :slope slope)))
