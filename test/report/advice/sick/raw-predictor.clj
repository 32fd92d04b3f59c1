; A trend over years that are far from zero.
; run: -a rmh -n 3000 --chains 2 --seed 1
; expect: centre the predictors of a regression
; expect: -a nuts
; never: pgibbs
(defquery raw-predictor
  (let [height (sample (normal 0 10000))
        slope (sample (normal 0 100))]
    (doseq [year (range 2000 2020)]
      (observe (normal (+ height (* slope year)) 1) (+ 3 (* 0.5 (- year 2010)))))
    (predict :height height)
    (predict :slope slope)))
