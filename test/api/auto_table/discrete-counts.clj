;; SPDX-License-Identifier: Apache-2.0
;; Two counts of which the sum is observed.
(defquery counts
  (let [a (sample (poisson 3))
        b (sample (poisson 5))]
    (observe (normal (+ a b) 1) 11)
    (predict :a a)))
