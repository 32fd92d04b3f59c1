;; SPDX-License-Identifier: Apache-2.0
;; Stochastic volatility: the logarithm of the variance of returns is an autoregressive process.
;; draws: 350000
(def returns [-0.64 0.59 -0.40 -0.18 -0.31 1.56 -0.21 0.72 -0.00 0.19 0.23 -0.18 0.12 -0.75 0.09 -1.13 -0.90 0.31 0.79
         0.39 -0.44 0.55 -0.50 -0.23 -1.00 0.80 -1.58 -1.54 0.34 -0.67 0.70 -1.20 0.61 0.79 -0.26 0.67 0.41 0.38 0.55 -0.26
         -0.36 -0.58 -0.81 0.17 -0.98 0.06 -0.73 0.41 1.27 -0.30 0.72 -0.69 -0.52 -0.49 0.65 -0.71 -0.22 -0.06 0.35
         1.47 0.12 -1.21 0.61 0.75 1.34 0.63 -1.06 0.87 -0.45 1.40 1.36 -1.31 1.36 -0.31 -0.81 0.53 1.13 -0.84 0.39
         0.42 0.28 -0.35 0.61 0.21 0.23 -0.37 -2.16 0.66 -1.07 -0.51 0.78 -0.40 0.16 -0.59 -0.16 -0.84 1.05 -0.69 0.33
         0.11])

(defquery stochastic-volatility [returns]
  (let [mu (sample (normal -1 1))
        phi (sample (uniform-continuous 0.5 1))
        sigma (sample (gamma 2 10))]
    (loop [h (sample (normal mu (/ sigma (sqrt (- 1 (* phi phi))))))
           returns returns]
      (if (empty? returns)
        (predict :last-volatility (exp (/ h 2)))
        (do
          (observe (normal 0 (exp (/ h 2))) (first returns))
          (recur (sample (normal (+ mu (* phi (- h mu))) sigma))
                 (rest returns)))))
    (predict :phi phi)
    (predict :sigma sigma)))

(def stochastic-volatility-value [returns])
