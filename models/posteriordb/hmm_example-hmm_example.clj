;; SPDX-License-Identifier: Apache-2.0
;; A hidden Markov model with two states, 0 < mu1 < mu2. The states are summed out by the forward algorithm; both may come first.
(defquery hmm-example [y]
  (let [theta1 (sample (dirichlet [1 1]))
        theta2 (sample (dirichlet [1 1]))
        mu1 (sample (half-flat))
        mu2 (+ mu1 (sample (half-flat)))
        emissions (fn [x] [(observe* (normal mu1 1) x) (observe* (normal mu2 1) x)])
        into-states (mapv (fn [a b] [(log a) (log b)]) theta1 theta2)
        forward (fn [log-alpha x]
                  (mapv (fn [log-transitions log-emission]
                          (+ (log-sum-exp (map + log-alpha log-transitions)) log-emission))
                        into-states
                        (emissions x)))]
    (observe (normal 3 1) mu1)
    (observe (normal 10 1) mu2)
    (factor (log-sum-exp (reduce forward (emissions (first y)) (rest y))))
    (predict :theta1 theta1)
    (predict :theta2 theta2)
    (predict :mu [mu1 mu2])))
