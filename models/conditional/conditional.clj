;; SPDX-License-Identifier: Apache-2.0
;; A query inside a query: the outer one draws from the posterior of the inner one (P(true) = 9/13), then sees
;; evidence of its own, after which P(a) = 5/9.
(defquery meets [p]
  (let [here (sample (flip p))]
    (observe (flip p) here)
    here))

(defquery conditional-meets []
  (let [a (sample ((conditional meets :smc :number-of-particles 20) 0.6))]
    (observe (flip (if a 0.5 0.9)) true)
    (predict :a a)))
