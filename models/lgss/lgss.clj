;; SPDX-License-Identifier: Apache-2.0
;; A linear-Gaussian state space model: the Kalman smoother gives the exact marginals.
(defquery lgss [observations]
  (loop [ys observations
         x (sample (normal 0 2))
         xs []]
    (if (empty? ys)
      (predict :xs xs)
      (do
        (observe (normal x 0.5) (first ys))
        (recur (rest ys)
               (sample (normal (* 0.9 x) 1))
               (conj xs x))))))

(def lgss-value [[0.4 1.1 0.6 -0.3 -1.2 -0.9 0.2 2.1 1.7 0.8]])
