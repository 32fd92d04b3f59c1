;; SPDX-License-Identifier: Apache-2.0
;; A hidden Markov model of a drive in basketball: two states, each with exponential speed u and distance v, the rates in order.
;; The states are summed out by the forward algorithm; both may come first.
(defquery drive [u v alpha]
  (let [theta1 (sample (dirichlet (nth alpha 0)))
        theta2 (sample (dirichlet (nth alpha 1)))
        two-rates (fn []
                    (let [low (sample (half-flat))
                          high (+ low (sample (half-flat)))]
                      (observe (normal 0 1) low)
                      (observe (normal 3 1) high)
                      [low high]))
        phi (two-rates)
        lambda (two-rates)
        into-states (mapv (fn [a b] [(log a) (log b)]) theta1 theta2)
        emissions (mapv (fn [u-now v-now]
                          (mapv (fn [phi-k lambda-k]
                                  (+ (observe* (exponential phi-k) u-now)
                                     (observe* (exponential lambda-k) v-now)))
                                phi lambda))
                        u v)
        forward (fn [log-alpha log-emissions]
                  (mapv (fn [log-transitions log-emission]
                          (+ (log-sum-exp (map + log-alpha log-transitions)) log-emission))
                        into-states
                        log-emissions))]
    (factor (log-sum-exp (reduce forward emissions)))
    (predict :theta1 theta1)
    (predict :theta2 theta2)
    (predict :phi phi)
    (predict :lambda lambda)))
