;; SPDX-License-Identifier: Apache-2.0
;; 26896 executions.
(defquery finite
  (let [a (sample (binomial 40 0.3))
        b (sample (binomial 40 0.6))
        c (sample (binomial 15 0.5))]
    (observe (poisson (+ 1 a b c)) 50)
    (predict :a a)))
