;; SPDX-License-Identifier: Apache-2.0
;; Were the O-rings of the space shuttle damaged, given the temperature at launch (degrees Fahrenheit)? 23 flights before Challenger,
;; which started at 31 degrees.
;; chancel infer examples/logistic-regression.clj --data examples/data/orings.csv
(defquery logistic-regression [temperature damaged]
  (let [intercept (sample (normal 0 20))
        slope (sample (normal 0 1))]
    (map (fn [t d] (observe (bernoulli-logit (+ intercept (* slope t))) d)) temperature damaged)
    (predict :intercept intercept)
    (predict :slope slope)
    (predict :risk-at-31 (sigmoid (+ intercept (* slope 31))))
    (predict :risk-at-70 (sigmoid (+ intercept (* slope 70))))))
