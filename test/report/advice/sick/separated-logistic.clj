; A predictor that separates the outcomes: without a prior the slope has no bound.
; run: -a nuts -n 300 --chains 4 --seed 1
; expect: do not trust
; expect: proper one with light tails
; never: centre the predictors
; never: ordered
(defquery separated-logistic
  (let [slope (sample (flat))]
    (doseq [[x y] [[-2 false] [-1.5 false] [-1 false] [-0.5 false] [0.5 true] [1 true] [2 true]]]
      (observe (flip (/ 1 (+ 1 (exp (- (* slope x)))))) y))
    (predict :slope slope)))
