;; SPDX-License-Identifier: Apache-2.0
;; How far does a car go on a gallon, given its weight (1000 lb) and power (hp)? Predictors as they are measured.
;; chancel infer examples/linear-regression.clj --data examples/data/cars.csv
(defquery linear-regression [mpg wt hp]
  (let [intercept (sample (normal 0 100))
        b-wt (sample (normal 0 10))
        b-hp (sample (normal 0 10))
        sigma (sample (half-cauchy 5))
        expected (fn [weight power] (+ intercept (* b-wt weight) (* b-hp power)))]
    (map (fn [weight power miles] (observe (normal (expected weight power) sigma) miles)) wt hp mpg)
    (predict :intercept intercept)
    (predict :b-wt b-wt)
    (predict :b-hp b-hp)
    (predict :sigma sigma)
    (predict :mean-of-3000-lb-100-hp (expected 3 100))
    (predict :such-a-car (generate (normal (expected 3 100) sigma)))))
