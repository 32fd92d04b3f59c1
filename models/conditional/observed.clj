;; SPDX-License-Identifier: Apache-2.0
;; A posterior that is observed: how likely would the inner query have come out true (p^2 / (p^2 + (1 - p)^2)) under each p?
(defquery meets [p]
  (let [here (sample (flip p))]
    (observe (flip p) here)
    here))

(defquery conditional-observed []
  (let [p (sample (uniform-discrete 1 5))]
    (observe ((conditional meets :smc :number-of-particles 20) (/ p 5.0)) true)
    (predict :p p)))
