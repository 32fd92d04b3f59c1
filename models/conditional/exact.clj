;; SPDX-License-Identifier: Apache-2.0
;; conditional.clj with an inner posterior that is enumerated: the outer query can be enumerated as well.
(defquery meets [p]
  (let [here (sample (flip p))]
    (observe (flip p) here)
    here))

(defquery conditional-exact []
  (let [a (sample ((conditional meets :enumerate) 0.6))]
    (observe (flip (if a 0.5 0.9)) true)
    (predict :a a)))
