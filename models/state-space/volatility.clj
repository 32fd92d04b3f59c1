;; SPDX-License-Identifier: Apache-2.0
;; Stochastic volatility: returns whose log variance is a first-order autoregression.
;; chancel infer models/state-space/volatility.clj --data models/state-space/data/volatility.json -a pmmh
(defquery volatility [ys]
  (let [mu (sample :mu (normal 0 2))
        phi (sample :phi (beta 20 1.5))
        sigma (sample :sigma (half-normal 0.5))]
    (reduce (fn [h y]
              (let [h (sample (normal (+ mu (* phi (- h mu))) sigma))]
                (observe (normal 0 (exp (/ h 2))) y)
                h))
            mu
            ys)
    (predict :mu mu)
    (predict :phi phi)
    (predict :sigma sigma)))
