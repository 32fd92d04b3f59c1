;; SPDX-License-Identifier: Apache-2.0
;; An autoregression with a moving average, ARMA(1, 1).
(defquery arma [y]
  (let [mu (sample (normal 0 2))
        phi (sample (normal 0 2))
        theta (sample (normal 0 2))
        sigma (sample (half-cauchy 2.5))
        first-error (- (first y) (+ mu (* phi mu)))]
    (observe (normal 0 sigma) first-error)
    (loop [before (first y) error first-error rest-of-y (rest y)]
      (when (seq rest-of-y)
        (let [now (first rest-of-y)
              error-now (- now (+ mu (* phi before) (* theta error)))]
          (observe (normal 0 sigma) error-now)
          (recur now error-now (rest rest-of-y)))))
    (predict :mu mu)
    (predict :phi phi)
    (predict :theta theta)
    (predict :sigma sigma)))
