;; SPDX-License-Identifier: Apache-2.0
;; Stochastic volatility with its parameters.
(defquery volatility
  (let [persistence (sample (beta 20 1.5))
        spread (sample (gamma 2 10))]
    (reduce (fn [h y]
              (let [h (sample (normal (* persistence h) spread))]
                (observe (normal 0 (exp (/ h 2))) y)
                h))
            0.0
            [0.3 -0.8 1.2 0.1 -2.1 1.7 0.4 -0.2 0.9 -1.1 0.2 0.6])
    (predict :persistence persistence)))
